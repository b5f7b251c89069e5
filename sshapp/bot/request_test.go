package bot

import "testing"

func TestTakebackBetweenBots(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		third := b.enter(cleo())
		third.asked(about(id, "watch"), "match")
		takeback, decline := about(id, "takeback"), about(id, "decline")
		first.asked(takeback, "error code=not_your_turn do=takeback")
		first.says(decline, move(id, "A5"), takeback, takeback)
		first.expects("move ply=1", "asked seat=1 what=takeback answer=nothing")
		second.asked(decline, "move ply=1", "asked seat=1 what=takeback", "asked seat=2 what=takeback answer=declined")
		first.expects("asked seat=2 what=takeback answer=declined")
		second.says(move(id, "A1"))
		first.asked(takeback, "move ply=2", "asked seat=1 what=takeback")
		second.asked(about(id, "state"), "move ply=2", "asked seat=1", "match turn=1",
			"asked seat=1 what=takeback answer=nothing")
		second.asked(takeback, "takeback seat=1 ply=0 turn=1 position=.........")
		first.expects("takeback seat=1 ply=0 turn=1 position=.........")
		third.expects("move", "asked", "asked", "move", "asked", "takeback seat=1 ply=0 turn=1")
		first.asked(move(id, "A1"), "move ply=1 move=A1 turn=2")
	})
}

func TestHints(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/2")
		hint := about(id, "hint")
		first.says(hint, hint)
		first.expects("asked seat=1 what=hint")
		second.says(hint, hint)
		second.expects("asked seat=1 what=hint", "asked seat=2 what=hint answer=agreed", "error code=not_your_turn do=hint")
		first.asked(hint, "asked seat=2 what=hint answer=agreed", "hint move= verdict=loss ply=1")

		one := b.enter(cleo())
		id = one.asked(`{"do":"computer","variant":"notakto/1","level":"novice","seat":1}`,
			"match hinted=nothing")[0].str("match")
		one.asked(about(id, "hint"), "asked seat=0 what=hint answer=agreed", "hint ply=1 move=A5 verdict=win")
		one.asked(about(id, "hint"), "hint ply=1")
		one.asked(about(id, "state"), "match hinted=true")
	})
}
