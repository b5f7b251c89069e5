package bot

import (
	"fmt"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/sshapp/wording"
)

// The first player of a new match sends each line. ID stands for the match.
func TestEveryRefusalHasItsCode(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`hello`, "error code=bad_json do=nothing"},
		{``, "error code=bad_json do=nothing"},
		{`[]`, "error code=bad_json"},
		{`"ping"`, "error code=bad_json"},
		{`{"do":"ping","n":7}{}`, "error code=bad_json"},
		{`{"do":"ping","n":7} x`, "error code=bad_json"},
		{`{"do":"ping","n":07}`, "error code=bad_json"},
		{`{"do":"ping","n":"7"}`, "error code=bad_json do=ping"},
		{`{"do":"ping","n":null}`, "error code=bad_json do=ping"},
		{`{"do":"ping","do":"ping"}`, "error code=bad_json"},
		{`{"do":"ping","n":1,"\u006e":2}`, "error code=bad_json"},
		{`{"do":null}`, "error code=bad_json do=nothing"},
		{`{"do":7}`, "error code=bad_json"},
		{"{\"do\":\"ping\xff\"}", "error code=bad_json"},
		{`{"do":"move","match":7,"move":"A5"}`, "error code=bad_json do=move"},
		{`{"do":"move","match":"ID","move":["A5"]}`, "error code=bad_json do=move"},
		{`{"do":"seek","variant":3}`, "error code=bad_json do=seek"},
		{`{"do":"create","variant":{}}`, "error code=bad_json do=create"},
		{`{"do":"join","code":true}`, "error code=bad_json do=join"},
		{`{"do":"computer","level":1}`, "error code=bad_json do=computer"},
		{`{"do":"computer","level":"club","seat":"1"}`, "error code=bad_json do=computer"},
		{`{"do":"computer","level":"club","seat":3}`, "error code=bad_json do=computer"},
		{strings.Repeat(" ", 4097), "error code=line_too_long do=nothing"},
		{strings.Repeat("x", 1<<20), "error code=line_too_long do=nothing"},
		{`{}`, "error code=unknown_do do=nothing"},
		{`{"DO":"ping"}`, "error code=unknown_do do=nothing"},
		{`{"do":"Ping"}`, "error code=unknown_do do=Ping"},
		{`{"do":"` + strings.Repeat("x", 1000) + `"}`, "error code=unknown_do do=nothing"},
		{`{"do":"seek","variant":"notakto/10"}`, "error code=bad_variant do=seek"},
		{`{"do":"seek","rated":1}`, "error code=bad_json do=seek"},
		{`{"do":"seek","rated":null}`, "error code=bad_json do=seek"},
		{`{"do":"create","rated":true}`, "error code=rated do=create"},
		{`{"do":"computer","level":"club","rated":true}`, "error code=rated do=computer"},
		{`{"do":"seek","variant":""}`, "error code=bad_variant do=seek"},
		{`{"do":"create","variant":"chess"}`, "error code=bad_variant do=create"},
		{`{"do":"computer","variant":"notakto/0","level":"club"}`, "error code=bad_variant do=computer"},
		{`{"do":"computer","level":"wizard"}`, "error code=bad_level do=computer"},
		{`{"do":"computer"}`, "error code=bad_level do=computer"},
		{`{"do":"move","match":"ID","move":"king"}`, "error code=bad_move do=move"},
		{`{"do":"move","match":"ID"}`, "error code=bad_move do=move"},
		{`{"do":"move","match":"ID","move":"D5"}`, "error code=no_such_board do=move"},
		{`{"do":"move","match":"ID","move":"A0"}`, "error code=no_such_cell do=move"},
		{`{"do":"move","match":"ID","move":"C1"}`, "error code=not_your_turn do=move"},
		{`{"do":"move","match":"nonesuch","move":"A1"}`, "error code=no_such_match do=move"},
		{`{"do":"move","move":"A1"}`, "error code=no_such_match do=move"},
		{`{"do":"resign","match":"../../etc"}`, "error code=no_such_match do=resign"},
		{`{"do":"state","match":"x.*.>"}`, "error code=no_such_match do=state"},
		{`{"do":"watch","match":"nonesuch"}`, "error code=no_such_match do=watch"},
		{`{"do":"leave","match":"nonesuch"}`, "error code=no_such_match do=leave"},
		{`{"do":"rematch","match":"` + strings.Repeat("a", 3000) + `"}`, "error code=no_such_match do=rematch"},
		{`{"do":"rematch","match":"ID"}`, "error code=not_your_turn do=rematch"},
		{`{"do":"join","code":"????"}`, "error code=no_such_table do=join"},
		{`{"do":"join"}`, "error code=no_such_table do=join"},
		// valid lines
		{` { "do" : "ping" , "n" : 1e999, "x": null, "y": {"do":1,"do":2} } ` + "\r", "pong n=1e999"},
		{`{"do":"ping","n":12345678901234567890}` + strings.Repeat(" ", 4096-38), "pong"},
	} {
		t.Run(fmt.Sprintf("%.60q", test.line), func(t *testing.T) {
			inBubble(t, func(b *harness) {
				first, _, id := b.pair("notakto/3")
				first.says(strings.ReplaceAll(test.line, "ID", id))
				if test.line == `{"do":"move","match":"ID","move":"C1"}` {
					first.expects("move")
					first.says(strings.ReplaceAll(test.line, "ID", id))
				}
				if got := first.received(); len(got) != 1 {
					t.Errorf("heard %s", got)
				} else if want, number := strings.CutPrefix(test.want, "pong n="); number {
					testkit.Equal(t, got[0].text, `{"event":"pong","n":`+want+`}`, got)
				} else {
					got[0].is(t, test.want)
				}
				first.says(`{"do":"ping"}`)
				first.expects("pong") // the session continues
			})
		})
	}
}

// Some messages used to describe what the server did, or were false.
func TestMessagesOfErrors(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _, one := b.seekRated()
		for line, want := range map[string]string{
			`{}`:                           `the line has no "do"`,
			`{"DO":"ping"}`:                `the line has no "do"`,
			`{"do":""}`:                    `there is no such "do": ""`,
			`{"do":"watch","match":"x"}`:   "there is no such match",
			`{"do":"state","match":"x"}`:   "there is no such match",
			`{"do":"state","match":"a/b"}`: "there is no such match",
			`{"do":"seek","rated":true}`:   "you play a rated pair: another can begin when it is over",
			`{"do":"takeback","match":"` + string(one.Match) + `"}`: wording.Explain(match.ErrRated).Message,
			`{"do":"hint","match":"` + string(one.Match) + `"}`:     wording.Explain(match.ErrRated).Message,
		} {
			first.says(line)
			testkit.Equal(t, first.expects("error")[0].str("message"), want, line)
		}
		first.says(`{"do":"computer","level":"club"}`)
		first.expects("match") // only a rated pair prevents another seek
		first.says(`{"do":"resign","match":"` + string(one.Match) + `"}`)
		first.expects("end")
	})
}

func TestErrorsOfTheRules(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/2")
		bots, turn := [2]*peer{first, second}, 0
		try := func(move, want string) {
			t.Helper()
			bots[turn%2].says(`{"do":"move","match":"` + id + `","move":"` + move + `"}`)
			bots[turn%2].expects(want)
			if strings.HasPrefix(want, "move") {
				bots[(turn+1)%2].expects(want)
				turn++
			}
		}
		try("A1", "move died=null")
		try("A1", "error code=cell_taken do=move")
		try("A2", "move")
		try("A3", "move died=A turn=2")
		try("A9", "error code=board_dead do=move")
		second.says(`{"do":"resign","match":"`+id+`"}`, `{"do":"move","match":"`+id+`","move":"B1"}`,
			`{"do":"resign","match":"`+id+`"}`)
		second.expects("end winner=1", "error code=match_over do=move", "error code=match_over do=resign")
		first.expects("end winner=1 reason=resign")
	})
}

func TestTooManyTablesInOneSession(t *testing.T) {
	inBubble(t, func(b *harness) {
		_, _, id := b.pair("notakto/3")
		b.limits.Tables = 1
		c := b.enter(cleo())
		c.says(`{"do":"create"}`, `{"do":"watch","match":"`+id+`"}`, `{"do":"seek"}`, `{"do":"create"}`,
			`{"do":"computer","level":"club"}`, `{"do":"join","code":"ABCD"}`)
		c.expects("table", "error code=too_many do=watch", "error code=too_many do=seek",
			"error code=too_many do=create",
			"error code=too_many do=computer", "error code=too_many do=join")
	})
}

// Leaving opens the table only to resign.
func TestABotWithAllItsTablesCanLeaveAMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _, id := b.pair("notakto/3")
		b.limits.Tables = 1
		c := b.connect(first.player)
		c.says(`{"do":"create"}`, `{"do":"leave","match":"`+id+`"}`, `{"do":"create"}`)
		c.expects("welcome", "table", "match match="+id, "end reason=resign", "error code=too_many do=create")
	})
}

// A bot may play for days. Finished matches do not count and are not kept.
func TestFinishedMatchesMakeRoom(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits.Tables = 1
		c := b.enter(ann())
		for range 50 {
			c.says(`{"do":"computer","level":"random","seat":1}`)
			c.says(`{"do":"resign","match":"` + c.expects("match")[0].str("match") + `"}`)
			c.expects("end reason=resign")
		}
	})
}
