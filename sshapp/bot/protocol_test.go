package bot

import (
	"errors"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
)

// field returns the player of a seat.
func (p *peer) field(id string, seatState int) string {
	for _, m := range p.manager.List() {
		if string(m.ID) == id {
			return string(m.Players[seatState].ID)
		}
	}
	return ""
}

func TestSeekVariants(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		for line, want := range map[string]string{
			`"variants":[]`:                    "error code=bad_variant",
			`"variants":["notakto/10"]`:        "error code=bad_variant",
			`"variants":"notakto/3"`:           "error code=bad_json",
			`"variants":[3]`:                   "error code=bad_json",
			`"variants":[null]`:                "error code=bad_json",
			`"variants":["notakto/3","chess"]`: "error code=bad_variant",
			`"variants":["notakto/1"` + strings.Repeat(`,"notakto/1"`, 16) + `]`: "error code=bad_variant",
		} {
			one.says(`{"do":"seek",` + line + `}`)
			one.expects(want)
		}
		one.says(`{"do":"seek","variant":"tictactoe","variants":["notakto/9","notakto/2","notakto/9"]}`)
		one.expects("seeking variant=notakto/9")
		two.says(`{"do":"seek","variants":["notakto/2","notakto/1"]}`)
		two.expects("seeking variant=notakto/2", "match variant=notakto/2")
		one.expects("match variant=notakto/2")
	})
}

func TestComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		c.says(`{"do":"computer","variant":"notakto/2","level":"Perfect","seat":1,"colour":"blue"}`)
		first := c.expects(`match seat=1 variant=notakto/2 turn=1 moves=[] position=........./......... over=false`)[0]
		testkit.Contains(t, first.field("players"), `{"guest":false,"id":"computer:perfect","name":"perfect"}`)
		c.says(`{"do":"move","match":"` + first.str("match") + `","move":"a5"}`)
		c.expects(`move ply=1 seat=1 move=A5 died=null turn=2`, `move ply=2 seat=2 turn=1`)
		c.says(`{"do":"computer","level":"random","seat":2,"variant":"tictactoe"}`)
		second := c.received()
		if len(second) == 0 || second[0].field("seat") != "2" ||
			len(second[0].fields["moves"].([]any))+len(second)-1 != 1 {
			t.Errorf("the computer moves first: heard %s", second)
		}
		for range 4 { // random seats
			c.says(`{"do":"computer","level":"club"}`)
			if got := c.received(); len(got) == 0 || got[0].str("variant") != "notakto/3" {
				t.Errorf("heard %s", got)
			}
		}
	})
}

func TestPrivateTable(t *testing.T) {
	inBubble(t, func(b *harness) {
		host, other, third := b.enter(ann()), b.enter(bob()), b.enter(cleo())
		host.says(`{"do":"create","variant":"notakto/2"}`)
		table := host.expects("table")[0]
		id, code := table.str("match"), table.str("code")
		host.says(`{"do":"state","match":"` + id + `"}`)
		waiting := host.expects("table code="+code+" match="+id, "match turn=0 over=false")[1]
		testkit.Contains(t, waiting.field("players"), `{"guest":false,"id":"","name":""}`)
		host.says(`{"do":"move","match":"`+id+`","move":"A5"}`, `{"do":"join","code":"`+code+`"}`)
		host.expects("error code=not_your_turn do=move", "error code=own_table do=join")
		other.says(`{"do":"join","code":"` + strings.ToLower(code) + `"}`)
		other.expects("match turn=1 match=" + id)
		host.expects("match turn=1 match=" + id)
		third.says(`{"do":"join","code":"`+code+`"}`, `{"do":"join","code":"ZZZZ"}`)
		third.expects("error code=table_full", "error code=no_such_table do=join")
		third.leaves()
		other.says(`{"do":"leave","match":"` + id + `"}`)
		other.expects("end reason=resign match=" + id)
		host.expects("end reason=resign", "presence present=false")
	})
}

func TestLeavingATableThatWaitsClearsIt(t *testing.T) {
	inBubble(t, func(b *harness) {
		host, other := b.enter(ann()), b.enter(bob())
		host.says(`{"do":"create"}`)
		table := host.expects("table")[0]
		host.says(`{"do":"leave","match":"`+table.str("match")+`"}`, `{"do":"leave","match":"`+table.str("match")+`"}`)
		got := host.received()
		if len(got) == 0 {
			t.Fatal("heard nothing")
		}
		got[0].is(t, "end winner=0 reason=abandoned")
		other.says(`{"do":"join","code":"` + table.str("code") + `"}`)
		other.expects("error code=no_such_table")
	})
}

func TestRematchSwapsTheSeats(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		rematch := `{"do":"rematch","match":"` + id + `"}`
		first.says(rematch)
		first.expects("error code=not_your_turn do=rematch")
		first.says(`{"do":"resign","match":"` + id + `"}`)
		first.expects("end winner=2 reason=resign match=" + id)
		second.expects("end winner=2 reason=resign match=" + id)
		first.says(rematch)
		first.expects()
		second.says(rematch)
		next := second.expects("match seat=1 turn=1 moves=[]")[0].str("match")
		first.expects("match seat=2 match=" + next)
		if next == id {
			t.Error("the rematch has the name of the match before")
		}
		second.says(`{"do":"move","match":"` + next + `","move":"C1"}`)
		second.expects("move seat=1 match=" + next)
		first.expects("move seat=1 match=" + next)
		first.leaves()
		second.expects("presence seat=2 present=false match=" + next)
	})
}

func TestComputersAlwaysWantARematch(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		c.says(`{"do":"computer","level":"random","seat":1}`)
		id := c.expects("match")[0].str("match")
		c.says(`{"do":"resign","match":"`+id+`"}`, `{"do":"rematch","match":"`+id+`"}`)
		got := c.received()
		got[0].is(t, "end match="+id+" winner=2")
		got[1].is(t, "match seat=2")
		next := got[1].str("match")
		c.says(`{"do":"rematch","match":"` + id + `"}`) // the last table is closed
		c.expects("error code=match_over do=rematch")
		c.says(`{"do":"state","match":"` + next + `"}`)
		c.expects("match over=false match=" + next)
	})
}

func TestSpectator(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("tictactoe")
		watch := b.enter(cleo())
		move := func(c *peer, cell string) { c.says(`{"do":"move","match":"` + id + `","move":"` + cell + `"}`) }
		move(first, "5")
		watch.says(`{"do":"watch","match":"`+id+`"}`, `{"do":"watch","match":"`+id+`"}`)
		watch.expects("match seat=0 turn=2", "match seat=0")
		move(watch, "1")
		watch.says(`{"do":"resign","match":"` + id + `"}`)
		watch.expects("error code=not_seated do=move", "error code=not_seated do=resign")
		for i, cell := range []string{"1", "6", "2", "4"} {
			move([]*peer{second, first}[i%2], cell)
		}
		watch.expects("move ply=2 seat=2 move=1 died=null turn=1", "move ply=3 move=6", "move ply=4 move=2",
			"move ply=5 seat=1 move=4 died=A turn=0", "end winner=1 reason=line")
		second.leaves()
		watch.expects("presence seat=2 present=false")
		watch.says(`{"do":"leave","match":"` + id + `"}`)
		first.leaves()
		watch.says(`{"do":"ping","n":-1.50e3}`, `{"do":"ping"}`)
		testkit.Equal(t, watch.expects("pong", "pong")[0].text, `{"event":"pong","n":-1.50e3}`)
	})
}

// A bot that watched its own match used to take the seat, and then resigned by leaving.
func TestWatchingOnesOwnMatchTakesNoSeat(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		watch, leave := `{"do":"watch","match":"`+id+`"}`, `{"do":"leave","match":"`+id+`"}`
		again := b.connect(first.player)
		again.expects(`welcome matches=["` + id + `"]`)
		again.says(watch, leave, watch)
		again.expects("match seat=0", "match seat=0")
		second.expects()
		first.leaves()
		second.expects("presence seat=1 present=false")
		again.expects("presence seat=1 present=false")
		again.says(`{"do":"state","match":"` + id + `"}`)
		again.expects("match seat=1")
		second.expects("presence seat=1 present=true")
		again.says(watch) // at its seat, watch does what state does
		again.expects("match seat=1")
		again.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		again.expects("move")
		second.expects("move")
		again.says(leave)
		again.expects("end winner=2 reason=resign")
		second.expects("end", "presence seat=1 present=false")
	})
}

func TestComingBack(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		first.says(`{"do":"move","match":"` + id + `","move":"b5"}`)
		who := match.Player{ID: match.PlayerID(first.field(id, 0)), Name: "x"}
		second.expects("move")
		first.leaves()
		second.expects("presence seat=1 present=false")
		second.says(`{"do":"move","match":"`+id+`","move":"b1"}`, `{"do":"state","match":"`+id+`"}`)
		second.expects("move ply=2", "match turn=1", "presence seat=1 present=false")
		back := b.connect(who)
		back.expects(`welcome matches=["` + id + `"]`)
		back.says(`{"do":"state","match":"` + id + `"}`)
		back.expects(`match seat=1 turn=1 moves=["B5","B1"]`)
		second.expects("presence seat=1 present=true")
		back.leaves()
		second.expects("presence seat=1 present=false")
		third := b.connect(who)
		third.expects("welcome")
		third.says(`{"do":"move","match":"` + id + `","move":"A1"}`) // the match event comes first
		third.expects(`match moves=["B5","B1"]`, "move ply=3 seat=1 move=A1")
		second.expects("presence seat=1 present=true", "move ply=3")
		second.leaves()
		pass(time.Minute)
		third.expects("presence seat=2 present=false", "end winner=1 reason=abandoned")
	})
}

func TestAGuestComesBackByTheCode(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(guy())
		c.says(`{"do":"computer","level":"random","seat":1}`)
		begun := c.expects("match")[0]
		id, code := begun.str("match"), begun.str("code")
		stranger := b.enter(match.Player{ID: "guest:new", Name: "new", Guest: true})
		stranger.says(`{"do":"join","code":"` + code + `"}`)
		stranger.expects("error code=table_full")
		c.leaves()
		stranger.says(`{"do":"seek"}`, `{"do":"join","code":"`+code+`"}`)
		stranger.expects("seeking", "cancelled", `welcome player.id=guest:guy matches=["`+id+`"]`,
			"match seat=1 code="+code)
		stranger.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		stranger.expects("move ply=1", "move ply=2")
	})
}

func TestDraining(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		waiting := b.enter(cleo())
		waiting.says(`{"do":"seek"}`)
		waiting.expects("seeking")
		b.manager.Drain()
		waiting.expects("notice", "cancelled")
		for _, line := range []string{`{"do":"seek"}`, `{"do":"create"}`, `{"do":"computer","level":"club"}`} {
			waiting.says(line)
			waiting.expects("error code=draining")
		}
		first.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		second.expects("move")
		first.expects("move")
		noon := errors.New("back at noon")
		second.stop(noon)
		second.expects("notice")
		second.ends(noon)
		first.expects("presence present=false")
	})
}

func TestTheMatchComesToBothSessionsOfAPlayer(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		twin := b.connect(match.Player{ID: match.PlayerID(first.field(id, 0))})
		twin.received()
		twin.says(`{"do":"state","match":"` + id + `"}`)
		twin.expects("match seat=1")
		first.says(`{"do":"move","match":"` + id + `","move":"C5"}`)
		twin.expects("move seat=1 move=C5")
		first.says(`{"do":"seek"}`)
		first.expects("move", "seeking")
		twin.says(`{"do":"seek"}`, `{"do":"cancel"}`)
		twin.expects("error code=already_seeking", "cancelled")
		first.leaves()
		second.expects("move") // the player is still present
		twin.leaves()
		second.expects("presence present=false")
	})
}
