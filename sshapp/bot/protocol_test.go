package bot

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/lobby"
	"notakto/match/manager"
)

func TestSeek(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		one.asked(`{"do":"seek","variant":"tictactoe","variants":["notakto/9","notakto/2","notakto/9"],"clock":"1d"}`,
			`seeking variant=notakto/9 variants=["notakto/9","notakto/2"] clock=1d`)
		one.asked(`{"do":"seek"}`, "error code=already_seeking")
		two.asked(`{"do":"seek","variants":["notakto/2"]}`, "seeking clock=nothing") // the terms differ
		two.asked(`{"do":"cancel"}`, "cancelled")
		two.asked(`{"do":"seek","variants":["notakto/2","notakto/1"],"clock":"1d"}`,
			"seeking variant=notakto/2", "match variant=notakto/2 clock=1d")
		one.expects("match variant=notakto/2 clock=1d")

		// Without a clock, a seek that is not rated has the default clock.
		one.asked(`{"do":"seek","variants":["notakto/3","notakto/5"],"rated":false}`,
			"seeking variant=notakto/3 clock=5+0")
		var clocks []string
		for _, terms := range b.manager.Lobby().Waiting("").First[0].Accepts {
			clocks = append(clocks, terms.Clock.String())
		}
		if !slices.Equal(clocks, []string{"5+0", "7+0"}) {
			t.Errorf("the clocks are %v", clocks)
		}
		b.enter(guy()).asked(`{"do":"seek","rated":true}`, "error code=rated do=seek")
	})
}

// A bot is a program, and meets only players that want to meet one.
func TestABotMeetsWhoWantsToMeetPrograms(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		one.asked(`{"do":"seek","meets":"people"}`, "seeking meets=people")
		two.asked(`{"do":"seek","meets":"both"}`, "seeking")
		one.says(`{"do":"cancel"}`, `{"do":"seek","meets":"programs"}`)
		one.expects("cancelled", "seeking meets=programs", "match")
		two.expects("match")
	})
}

// Two bots that are kept apart hear why and until when. The bot that moved in time may accept the other.
func TestBotsThatAreKeptApartAreTold(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		late, prompt, _ := b.pair("notakto/3")
		pass(manager.DefaultFirstMove)
		late.received()
		prompt.received()
		late.asked(`{"do":"seek"}`, "seeking")
		until := time.Now().Add(lobby.SeparationTime).UTC().Format(time.RFC3339)
		testkit.Contains(t, prompt.asked(`{"do":"seek"}`, "seeking", "notice")[1].text,
			`"apart":{"name":"ann","until":"`+until+`","late":true}`)
		testkit.Contains(t, late.expects("notice")[0].text, `"apart":{"name":"bob","until":"`+until+`"}`)
		pass(4 * time.Minute)
		late.expects()
		prompt.says(`{"do":"cancel"}`, `{"do":"seek","anyway":true}`)
		prompt.expects("cancelled", "seeking", "match")
		late.expects("match")
	})
}

func TestClocks(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two, three := b.enter(ann()), b.enter(bob()), b.enter(cleo())
		one.says(`{"do":"seek","clock":"3+2"}`)
		begun := two.asked(`{"do":"seek","clock":"3+2"}`, "seeking variant=notakto/3 clock=3+2",
			"match clock=3+2 clocks=[180000,180000]")[1]
		if begun.field("seat") == "1" {
			one, two = two, one
		}
		id := begun.str("match")
		one.received()
		pass(10 * time.Second)
		one.says(move(id, "A5"))
		two.says(move(id, "B5"))
		pass(10 * time.Second)
		one.asked(move(id, "C5"), "move clocks=[180000,180000]", "move clocks=[180000,180000]",
			"move clocks=[172000,180000]")
		pass(30 * time.Second)
		two.received()
		two.asked(about(id, "state"), "match clocks=[172000,150000]")
		pass(150 * time.Second)
		two.expects(`end winner=1 reason=time`)

		computer := `{"do":"computer","level":"club","seat":1`
		three.asked(computer+`,"clock":"1d"}`, "match clock=1d clocks=[345600000,345600000]")
		three.asked(computer+`}`, "match clock=nothing clocks=nothing")
		three.asked(`{"do":"create","clock":"5+0"}`, "table")
	})
}

func TestComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		first := c.asked(`{"do":"computer","variant":"notakto/2","level":"Perfect","seat":1,"colour":"blue"}`,
			`match seat=1 variant=notakto/2 turn=1 moves=[] position=........./......... over=false`)[0]
		testkit.Contains(t, first.field("players"), `{"guest":false,"id":"computer:perfect","name":"perfect"}`)
		id := first.str("match")
		c.asked(move(id, "a5"), `move ply=1 seat=1 move=A5 died=null turn=2`, `move ply=2 seat=2 turn=1`)
		c.says(about(id, "resign"), about(id, "rematch")) // computers always want a rematch
		again := c.received()
		again[0].is(t, "end match="+id+" winner=2")
		again[1].is(t, "match seat=2")
		c.asked(about(id, "rematch"), "error code=match_over do=rematch") // the last table is closed
		c.says(`{"do":"computer","level":"random","seat":2,"variant":"tictactoe"}`)
		second := c.received()
		if len(second) == 0 || second[0].field("seat") != "2" ||
			len(second[0].fields["moves"].([]any))+len(second)-1 != 1 {
			t.Errorf("the computer moves first: heard %s", second)
		}
		c.says(`{"do":"computer","level":"club"}`) // a random seat
		c.received()[0].is(t, "match variant=notakto/3")
	})
}

func TestPrivateTable(t *testing.T) {
	inBubble(t, func(b *harness) {
		host, other, third := b.enter(ann()), b.enter(bob()), b.enter(cleo())
		table := host.asked(`{"do":"create","variant":"notakto/2"}`, "table")[0]
		id, code := table.str("match"), table.str("code")
		join := `{"do":"join","code":"` + code + `"}`
		waiting := host.asked(about(id, "state"), "table code="+code+" match="+id, "match turn=0 over=false")[1]
		testkit.Contains(t, waiting.field("players"), `{"guest":false,"id":"","name":""}`)
		host.asked(move(id, "A5"), "error code=not_your_turn do=move")
		host.asked(join, "error code=own_table do=join")
		other.asked(`{"do":"join","code":"`+strings.ToLower(code)+`"}`, "match turn=1 match="+id)
		host.expects("match turn=1 match=" + id)
		third.asked(join, "error code=table_full")
		third.asked(`{"do":"join","code":"ZZZZ"}`, "error code=no_such_table do=join")
		other.asked(about(id, "leave"), "end reason=resign match="+id)
		host.expects("end reason=resign", "presence present=false")

		table = host.asked(`{"do":"create"}`, "table")[0] // leaving a table that waits closes it
		host.says(about(table.str("match"), "leave"), about(table.str("match"), "leave"))
		host.received()[0].is(t, "end winner=0 reason=abandoned")
		other.asked(`{"do":"join","code":"`+table.str("code")+`"}`, "error code=no_such_table")
	})
}

// A bot that watched its own match used to take the seat, and then resigned by leaving.
func TestWatchingOnesOwnMatchTakesNoSeat(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		watch, leave := about(id, "watch"), about(id, "leave")
		again := b.connect(first.player)
		again.expects(`welcome matches=["` + id + `"]`)
		again.says(watch, leave, watch)
		again.expects("match seat=0", "match seat=0")
		second.expects()
		first.leaves()
		second.expects("presence seat=1 present=false")
		again.asked(about(id, "state"), "presence seat=1 present=false", "match seat=1")
		second.expects("presence seat=1 present=true")
		again.asked(watch, "match seat=1") // at its seat, watch does what state does
		again.asked(leave, "end winner=2 reason=resign")
		second.expects("end", "presence seat=1 present=false")
	})
}

func TestComingBack(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		first.says(move(id, "b5"))
		second.expects("move")
		first.leaves()
		second.expects("presence seat=1 present=false")
		second.says(move(id, "b1"), about(id, "state"))
		second.expects("move ply=2", "match turn=1", "presence seat=1 present=false")
		back := b.connect(first.player)
		back.expects(`welcome matches=["` + id + `"]`)
		back.asked(about(id, "state"), `match seat=1 turn=1 moves=["B5","B1"]`)
		second.expects("presence seat=1 present=true")
		back.leaves()
		second.expects("presence seat=1 present=false")
		third := b.connect(first.player)
		third.expects("welcome")
		third.asked(move(id, "A1"), // the match event comes first
			`match moves=["B5","B1"]`, "move ply=3 seat=1 move=A1")
		second.leaves()
		pass(time.Minute)
		third.expects("presence seat=2 present=false", "end winner=1 reason=abandoned")
	})
}

func TestAGuestComesBackByTheCode(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(guy())
		begun := c.asked(`{"do":"computer","level":"random","seat":1}`, "match")[0]
		id, code := begun.str("match"), begun.str("code")
		join := `{"do":"join","code":"` + code + `"}`
		stranger := b.enter(match.Player{ID: "guest:new", Name: "new", Guest: true})
		stranger.asked(join, "error code=table_full")
		c.leaves()
		stranger.says(`{"do":"seek"}`, join)
		stranger.expects("seeking", "cancelled", `welcome player.id=guest:guy matches=["`+id+`"]`,
			"match seat=1 code="+code)
		stranger.asked(move(id, "A5"), "move ply=1", "move ply=2")
	})
}

// Watching tells a stored match to spectators and to its players, and state tells it to its players. Other requests
// fail.
func TestAnArchivedMatch(t *testing.T) {
	const id = "c6zl3rq7s7"
	j := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{id: "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		for _, test := range []struct {
			p                 match.Player
			do, seat, refused string
		}{
			{cleo(), "watch", "0", "not_seated"},
			{bob(), "watch", "0", "match_over"},
			{bob(), "state", "2", "match_over"},
		} {
			c := b.enter(test.p)
			c.says(about(id, test.do))
			events := c.received()
			events[0].is(t, `match seat=`+test.seat+` moves=["A5","B5","A1","A9","B1"] turn=0 over=true`)
			events[len(events)-1].is(t, "end match="+id+" winner=1 reason=resign")
			c.says(move(id, "B2"))
			answers := c.received()
			testkit.Equal(t, answers[len(answers)-1].str("code"), test.refused, test.do)
			c.leaves()
		}
	})
}

func TestTheMatchComesToBothSessionsOfAPlayer(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		twin := b.connect(first.player)
		twin.received()
		twin.asked(about(id, "state"), "match seat=1")
		first.asked(move(id, "C5"), "move")
		twin.expects("move seat=1 move=C5")
		first.asked(`{"do":"seek"}`, "seeking")
		twin.says(`{"do":"seek"}`, `{"do":"cancel"}`)
		twin.expects("error code=already_seeking", "cancelled")
		first.leaves()
		second.expects("move") // the player is still present
		twin.leaves()
		second.expects("presence present=false")
	})
}
