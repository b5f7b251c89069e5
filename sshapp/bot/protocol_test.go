package bot

import (
	"errors"
	"strings"
	"testing"
	"time"

	"notakto/match"
)

// Every line in the order of fields that the contract shows.
func TestEventsAreWrittenAsInTheContract(t *testing.T) {
	inBubble(t, func(b *bed) {
		one, two, id := b.pair("notakto/1")
		sides := strings.NewReplacer("ID", id)
		check := func(c *client, wants ...string) {
			t.Helper()
			events := c.heard()
			if len(events) != len(wants) {
				t.Fatalf("heard %s\nwant %q", events, wants)
			}
			for i, want := range wants {
				if want = sides.Replace(want); events[i].text != want {
					t.Errorf("heard %s\nwant\n  %s", events[i], want)
				}
			}
		}
		move := `{"do":"move","match":"` + id + `","move":"`
		one.says(move + `a5"}`)
		check(one, `{"event":"move","match":"ID","ply":1,"seat":1,"move":"A5","died":null,"turn":2}`)
		check(two, `{"event":"move","match":"ID","ply":1,"seat":1,"move":"A5","died":null,"turn":2}`)
		one.says(`{"do":"state","match":"`+id+`"}`, `{"do":"ping","n":7}`, `{"do":"fly"}`, move+`A1"}`)
		players := `{"id":"SHA256:bob","name":"bob","guest":false},{"id":"SHA256:ann","name":"ann","guest":false}`
		if one.field(id, 0) == "SHA256:ann" {
			players = `{"id":"SHA256:ann","name":"ann","guest":false},{"id":"SHA256:bob","name":"bob","guest":false}`
		}
		check(one,
			`{"event":"match","match":"ID","variant":"notakto/1","seat":1,"players":[`+players+
				`],"moves":["A5"],"turn":2,"position":"....X....","over":false}`,
			`{"event":"pong","n":7}`,
			`{"event":"error","code":"unknown_do","message":"there is no such thing to do: \"fly\"","do":"fly"}`,
			`{"event":"error","code":"not_your_turn","message":"it is not your turn","do":"move"}`)
		two.says(move+`A1"}`, move+`A9"}`)
		one.says(move + `a9"}`)
		moves := []string{
			`{"event":"move","match":"ID","ply":2,"seat":2,"move":"A1","died":null,"turn":1}`,
			`{"event":"move","match":"ID","ply":3,"seat":1,"move":"A9","died":"A","turn":0}`,
			`{"event":"end","match":"ID","winner":2,"reason":"boards"}`,
		}
		check(one, moves...)
		check(two, moves[0], `{"event":"error","code":"not_your_turn","message":"it is not your turn","do":"move"}`, moves[1], moves[2])
		two.leaves()
		check(one, `{"event":"presence","match":"ID","seat":2,"present":false}`)
		one.says(`{"do":"seek"}`, `{"do":"cancel"}`)
		check(one, `{"event":"seeking","variant":"notakto/3"}`, `{"event":"cancelled"}`)
		tea := errors.New("tea at five")
		one.stop(tea)
		check(one, `{"event":"notice","message":"tea at five"}`)
		one.ends(tea)
	})
}

// field is who sits at a chair of a match.
func (c *client) field(id string, chair int) string {
	for _, m := range c.manager.List() {
		if string(m.ID) == id {
			return string(m.Players[chair].ID)
		}
	}
	return ""
}

func TestWelcome(t *testing.T) {
	inBubble(t, func(b *bed) {
		c := b.knock(guy())
		got := c.heard()
		want := `{"event":"welcome","protocol":1,"player":{"id":"guest:guy","name":"guy","guest":true},"matches":[]}`
		if len(got) != 1 || got[0].text != want {
			t.Errorf("heard %s\nwant %s", got, want)
		}
		c.leaves()
	})
}

func TestComputer(t *testing.T) {
	inBubble(t, func(b *bed) {
		c := b.enter(ann())
		c.says(`{"do":"computer","variant":"notakto/2","level":"Perfect","seat":1,"colour":"blue"}`)
		first := c.hears(`match seat=1 variant=notakto/2 turn=1 moves=[] position=........./......... over=false`)[0]
		if got := first.field("players"); !strings.Contains(got, `{"guest":false,"id":"computer:perfect","name":"perfect"}`) {
			t.Errorf("the players are %s", got)
		}
		c.says(`{"do":"move","match":"` + first.str("match") + `","move":"a5"}`)
		c.hears(`move ply=1 seat=1 move=A5 died=null turn=2`, `move ply=2 seat=2 turn=1`)
		c.says(`{"do":"computer","level":"random","seat":2,"variant":"tictactoe"}`)
		second := c.heard()
		if len(second) == 0 || second[0].field("seat") != "2" || len(second[0].fields["moves"].([]any))+len(second)-1 != 1 {
			t.Errorf("the computer moves first: heard %s", second)
		}
		for range 4 { // drawn lots
			c.says(`{"do":"computer","level":"club"}`)
			if got := c.heard(); len(got) == 0 || got[0].str("variant") != "notakto/3" {
				t.Errorf("heard %s", got)
			}
		}
		c.leaves()
	})
}

func TestPrivateTable(t *testing.T) {
	inBubble(t, func(b *bed) {
		host, other, third := b.enter(ann()), b.enter(bob()), b.enter(cleo())
		host.says(`{"do":"create","variant":"notakto/2"}`)
		table := host.hears("table")[0]
		id, code := table.str("match"), table.str("code")
		host.says(`{"do":"state","match":"` + id + `"}`)
		waiting := host.hears("table code="+code+" match="+id, "match turn=0 over=false")[1]
		if got := waiting.field("players"); !strings.Contains(got, `{"guest":false,"id":"","name":""}`) {
			t.Errorf("an empty chair is shown as %s", got)
		}
		host.says(`{"do":"move","match":"`+id+`","move":"A5"}`, `{"do":"join","code":"`+code+`"}`)
		host.hears("error code=not_your_turn do=move", "error code=own_table do=join")
		other.says(`{"do":"join","code":"` + strings.ToLower(code) + `"}`)
		other.hears("match turn=1 match=" + id)
		host.hears("match turn=1 match=" + id)
		third.says(`{"do":"join","code":"`+code+`"}`, `{"do":"join","code":"ZZZZ"}`)
		third.hears("error code=table_full", "error code=no_such_table do=join")
		third.leaves()
		other.says(`{"do":"leave","match":"` + id + `"}`)
		other.hears("end reason=resign match=" + id)
		host.hears("end reason=resign", "presence present=false")
		host.leaves()
		other.leaves()
	})
}

func TestLeavingATableThatWaitsClearsIt(t *testing.T) {
	inBubble(t, func(b *bed) {
		host, other := b.enter(ann()), b.enter(bob())
		host.says(`{"do":"create"}`)
		table := host.hears("table")[0]
		host.says(`{"do":"leave","match":"`+table.str("match")+`"}`, `{"do":"leave","match":"`+table.str("match")+`"}`)
		got := host.heard()
		if len(got) == 0 {
			t.Fatal("heard nothing")
		}
		got[0].is(t, "end winner=0 reason=abandoned")
		other.says(`{"do":"join","code":"` + table.str("code") + `"}`)
		other.hears("error code=no_such_table")
		host.leaves()
		other.leaves()
	})
}

func TestRematchSwapsTheSeats(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("notakto/3")
		rematch := `{"do":"rematch","match":"` + id + `"}`
		first.says(rematch)
		first.hears("error code=not_your_turn do=rematch")
		first.says(`{"do":"resign","match":"` + id + `"}`)
		first.hears("end winner=2 reason=resign match=" + id)
		second.hears("end winner=2 reason=resign match=" + id)
		first.says(rematch)
		first.hears()
		second.says(rematch)
		next := second.hears("match seat=1 turn=1 moves=[]")[0].str("match")
		first.hears("match seat=2 match=" + next)
		if next == id {
			t.Error("the rematch has the name of the match before")
		}
		second.says(`{"do":"move","match":"` + next + `","move":"C1"}`)
		second.hears("move seat=1 match=" + next)
		first.hears("move seat=1 match=" + next)
		first.leaves()
		second.hears("presence seat=2 present=false match=" + next)
		second.leaves()
	})
}

func TestComputersAlwaysWantARematch(t *testing.T) {
	inBubble(t, func(b *bed) {
		c := b.enter(ann())
		c.says(`{"do":"computer","level":"random","seat":1}`)
		id := c.hears("match")[0].str("match")
		c.says(`{"do":"resign","match":"`+id+`"}`, `{"do":"rematch","match":"`+id+`"}`)
		got := c.heard()
		got[0].is(t, "end match="+id+" winner=2")
		got[1].is(t, "match seat=2")
		next := got[1].str("match")
		c.says(`{"do":"rematch","match":"` + id + `"}`) // the table of the match before has been left
		c.hears("error code=match_over do=rematch")
		c.says(`{"do":"state","match":"` + next + `"}`)
		c.hears("match over=false match=" + next)
		c.leaves()
	})
}

func TestSpectator(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("tictactoe")
		watch := b.enter(cleo())
		move := func(c *client, cell string) { c.says(`{"do":"move","match":"` + id + `","move":"` + cell + `"}`) }
		move(first, "5")
		watch.says(`{"do":"watch","match":"`+id+`"}`, `{"do":"watch","match":"`+id+`"}`)
		watch.hears("match seat=0 turn=2", "match seat=0")
		move(watch, "1")
		watch.says(`{"do":"resign","match":"` + id + `"}`)
		watch.hears("error code=not_seated do=move", "error code=not_seated do=resign")
		for i, cell := range []string{"1", "6", "2", "4"} {
			move([]*client{second, first}[i%2], cell)
		}
		watch.hears("move ply=2 seat=2 move=1 died=null turn=1", "move ply=3 move=6", "move ply=4 move=2",
			"move ply=5 seat=1 move=4 died=A turn=0", "end winner=1 reason=line")
		second.leaves()
		watch.hears("presence seat=2 present=false")
		watch.says(`{"do":"leave","match":"` + id + `"}`)
		first.leaves()
		watch.says(`{"do":"ping","n":-1.50e3}`, `{"do":"ping"}`)
		if got := watch.hears("pong", "pong")[0].text; got != `{"event":"pong","n":-1.50e3}` {
			t.Errorf("the number comes back as %s", got)
		}
		watch.leaves()
	})
}

func TestWatchingOnesOwnMatchTakesTheSeat(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("notakto/1")
		again := b.knock(ann())
		again.hears(`welcome matches=["` + id + `"]`)
		again.says(`{"do":"watch","match":"` + id + `"}`)
		if seat := again.hears("match")[0].field("seat"); seat == "0" {
			t.Error("a player is a spectator of their own match")
		}
		for _, c := range []*client{again, first, second} {
			c.leaves()
		}
	})
}

func TestComingBack(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("notakto/3")
		first.says(`{"do":"move","match":"` + id + `","move":"b5"}`)
		who := match.Player{ID: match.PlayerID(first.field(id, 0)), Name: "x"}
		second.hears("move")
		first.leaves()
		second.hears("presence seat=1 present=false")
		second.says(`{"do":"move","match":"`+id+`","move":"b1"}`, `{"do":"state","match":"`+id+`"}`)
		second.hears("move ply=2", "match turn=1", "presence seat=1 present=false")
		back := b.knock(who)
		back.hears(`welcome matches=["` + id + `"]`)
		back.says(`{"do":"state","match":"` + id + `"}`)
		back.hears(`match seat=1 turn=1 moves=["B5","B1"]`)
		second.hears("presence seat=1 present=true")
		back.leaves()
		second.hears("presence seat=1 present=false")
		third := b.knock(who)
		third.hears("welcome")
		third.says(`{"do":"move","match":"` + id + `","move":"A1"}`) // the match comes before its events
		third.hears(`match moves=["B5","B1"]`, "move ply=3 seat=1 move=A1")
		second.hears("presence seat=1 present=true", "move ply=3")
		second.leaves()
		pass(time.Minute)
		third.hears("presence seat=2 present=false", "end winner=1 reason=abandoned")
		third.leaves()
	})
}

func TestAGuestComesBackByTheCode(t *testing.T) {
	inBubble(t, func(b *bed) {
		c := b.enter(guy())
		c.says(`{"do":"computer","level":"random","seat":1}`)
		begun := c.hears("match")[0]
		id, code := begun.str("match"), begun.str("code")
		stranger := b.enter(match.Player{ID: "guest:new", Name: "new", Guest: true})
		stranger.says(`{"do":"join","code":"` + code + `"}`)
		stranger.hears("error code=table_full")
		c.leaves()
		stranger.says(`{"do":"seek"}`, `{"do":"join","code":"`+code+`"}`)
		stranger.hears("seeking", "cancelled", `welcome player.id=guest:guy matches=["`+id+`"]`, "match seat=1 code="+code)
		stranger.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		stranger.hears("move ply=1", "move ply=2")
		stranger.leaves()
	})
}

func TestDraining(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("notakto/1")
		waiting := b.enter(cleo())
		waiting.says(`{"do":"seek"}`)
		waiting.hears("seeking")
		b.manager.Drain()
		waiting.hears("notice", "cancelled")
		for _, line := range []string{`{"do":"seek"}`, `{"do":"create"}`, `{"do":"computer","level":"club"}`} {
			waiting.says(line)
			waiting.hears("error code=draining")
		}
		first.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		second.hears("move")
		first.hears("move")
		second.stop(errors.New("back at noon"))
		second.hears("notice")
		first.hears("presence present=false")
		first.leaves()
		waiting.leaves()
	})
}

func TestTheMatchComesToBothSessionsOfAPlayer(t *testing.T) {
	inBubble(t, func(b *bed) {
		first, second, id := b.pair("notakto/3")
		twin := b.knock(match.Player{ID: match.PlayerID(first.field(id, 0))})
		twin.heard()
		twin.says(`{"do":"state","match":"` + id + `"}`)
		twin.hears("match seat=1")
		first.says(`{"do":"move","match":"` + id + `","move":"C5"}`)
		twin.hears("move seat=1 move=C5")
		first.says(`{"do":"seek"}`)
		first.hears("move", "seeking")
		twin.says(`{"do":"seek"}`, `{"do":"cancel"}`)
		twin.hears("error code=already_seeking", "cancelled")
		first.leaves()
		second.hears("move") // the player is still here
		twin.leaves()
		second.hears("presence present=false")
		second.leaves()
	})
}
