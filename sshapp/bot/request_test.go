package bot

import "testing"

func TestTakebackBetweenBots(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		third := b.enter(cleo())
		third.says(`{"do":"watch","match":"` + id + `"}`)
		third.expects("match")
		say := func(do string) string { return `{"do":"` + do + `","match":"` + id + `"}` }
		first.says(say("takeback"), say("decline"))
		first.expects("error code=not_your_turn do=takeback")
		first.says(`{"do":"move","match":"`+id+`","move":"A5"}`, say("takeback"), say("takeback"))
		first.expects("move ply=1", "asked seat=1 what=takeback answer=nothing")
		second.says(say("decline"))
		second.expects("move ply=1", "asked seat=1 what=takeback", "asked seat=2 what=takeback answer=declined")
		first.expects("asked seat=2 what=takeback answer=declined")
		second.says(`{"do":"move","match":"` + id + `","move":"A1"}`)
		first.says(say("takeback"))
		first.expects("move ply=2", "asked seat=1 what=takeback")
		second.says(say("state"))
		second.expects("move ply=2", "asked seat=1", "match turn=1", "asked seat=1 what=takeback answer=nothing")
		second.says(say("takeback"))
		for _, c := range []*peer{first, second} {
			c.expects("takeback seat=1 ply=0 turn=1 position=.........")
		}
		third.expects("move", "asked", "asked", "move", "asked", "takeback seat=1 ply=0 turn=1")
		first.says(`{"do":"move","match":"` + id + `","move":"A1"}`)
		first.expects("move ply=1 move=A1 turn=2")
	})
}

func TestHintsForBots(t *testing.T) {
	inBubble(t, func(b *harness) {
		one := b.enter(ann())
		one.says(`{"do":"computer","variant":"notakto/1","level":"novice","seat":1}`)
		id := one.expects("match hinted=nothing")[0].str("match")
		one.says(`{"do":"hint","match":"` + id + `"}`)
		one.expects("asked seat=0 what=hint answer=agreed", "hint ply=1 move=A5 verdict=win")
		one.says(`{"do":"hint","match":"`+id+`"}`, `{"do":"state","match":"`+id+`"}`)
		one.expects("hint ply=1", "match hinted=true")
	})
}

func TestHintsBetweenBots(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/2")
		hint := `{"do":"hint","match":"` + id + `"}`
		first.says(hint, hint)
		first.expects("asked seat=1 what=hint")
		second.says(hint, hint)
		second.expects("asked seat=1 what=hint", "asked seat=2 what=hint answer=agreed", "error code=not_your_turn do=hint")
		first.says(hint)
		first.expects("asked seat=2 what=hint answer=agreed", "hint move= verdict=loss ply=1")
	})
}
