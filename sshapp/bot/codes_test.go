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
		{`{"do":"ping","n":7}{}`, "error code=bad_json"},
		{`{"do":"ping","n":"7"}`, "error code=bad_json do=ping"},
		{`{"do":"ping","do":"ping"}`, "error code=bad_json"},
		{`{"do":"ping","n":1,"\u006e":2}`, "error code=bad_json"},
		{`{"do":7}`, "error code=bad_json"},
		{"{\"do\":\"ping\xff\"}", "error code=bad_json"},
		{`{"do":"move","match":7,"move":"A5"}`, "error code=bad_json do=move"},
		{`{"do":"move","match":"ID","move":["A5"]}`, "error code=bad_json do=move"},
		{`{"do":"seek","variant":3}`, "error code=bad_json do=seek"},
		{`{"do":"join","code":true}`, "error code=bad_json do=join"},
		{`{"do":"computer","level":1}`, "error code=bad_json do=computer"},
		{`{"do":"computer","level":"club","seat":3}`, "error code=bad_json do=computer"},
		{strings.Repeat(" ", 4097), "error code=line_too_long do=nothing"},
		{`{}`, "error code=unknown_do do=nothing"},
		{`{"DO":"ping"}`, "error code=unknown_do do=nothing"},
		{`{"do":"` + strings.Repeat("x", 1000) + `"}`, "error code=unknown_do do=nothing"},
		{`{"do":"seek","variant":"notakto/10"}`, "error code=bad_variant do=seek"},
		{`{"do":"seek","rated":1}`, "error code=bad_json do=seek"},
		{`{"do":"create","rated":true}`, "error code=rated do=create"},
		{`{"do":"computer","level":"club","rated":true}`, "error code=rated do=computer"},
		{`{"do":"computer","level":"wizard"}`, "error code=bad_level do=computer"},
		{`{"do":"move","match":"ID","move":"king"}`, "error code=bad_move do=move"},
		{`{"do":"move","match":"ID","move":"D5"}`, "error code=no_such_board do=move"},
		{`{"do":"move","match":"ID","move":"A0"}`, "error code=no_such_cell do=move"},
		{`{"do":"move","match":"ID","move":"C1"}`, "error code=not_your_turn do=move"},
		{`{"do":"move","move":"A1"}`, "error code=no_such_match do=move"},
		{`{"do":"resign","match":"../../etc"}`, "error code=no_such_match do=resign"},
		{`{"do":"watch","match":"nonesuch"}`, "error code=no_such_match do=watch"},
		{`{"do":"leave","match":"nonesuch"}`, "error code=no_such_match do=leave"},
		{`{"do":"rematch","match":"` + strings.Repeat("a", 3000) + `"}`, "error code=no_such_match do=rematch"},
		{`{"do":"rematch","match":"ID"}`, "error code=not_your_turn do=rematch"},
		{`{"do":"join","code":"????"}`, "error code=no_such_table do=join"},
		{`{"do":"seek","clock":"0+9"}`, "error code=bad_clock do=seek"},
		{`{"do":"seek","variants":["notakto/3"],"clock":"soon"}`, "error code=bad_clock do=seek"},
		{`{"do":"computer","level":"club","clock":7}`, "error code=bad_json do=computer"},
		{`{"do":"seek","meets":"robots"}`, "error code=bad_json do=seek"},
		{`{"do":"seek","variants":[]}`, "error code=bad_variant do=seek"},
		{`{"do":"seek","variants":["notakto/1"` + strings.Repeat(`,"notakto/1"`, 16) + `]}`, "error code=bad_variant"},
		{`{"do":"create","clock":""}`, "error code=bad_clock do=create"},
		{`{"do":"computer","level":"club","seat":"1"}`, "error code=bad_json do=computer"},
		{`{"do":"seek","variants":["notakto/3","chess"]}`, "error code=bad_variant do=seek"},
		{`{"do":"seek","variants":"notakto/3"}`, "error code=bad_json do=seek"},
		{`{"do":"seek","variants":[null]}`, "error code=bad_json do=seek"},
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
			`{}`:                             `the line has no "do"`,
			`{"do":""}`:                      `there is no such "do": ""`,
			about("x", "watch"):              "there is no such match",
			about("a/b", "state"):            "there is no such match",
			`{"do":"seek","rated":true}`:     "you play a rated pair: another can begin when it is over",
			about(string(one.Match), "hint"): wording.Explain(match.ErrRated).Message,
		} {
			testkit.Equal(t, first.asked(line, "error")[0].str("message"), want, line)
		}
		first.asked(`{"do":"computer","level":"club"}`, "match") // only a rated pair prevents another seek
	})
}

// Leaving opens a table only to resign. Finished matches do not count: a bot may play for days.
func TestTooManyTablesInOneSession(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _, id := b.pair("notakto/3")
		b.limits.Tables = 1
		c := b.enter(cleo())
		for range 50 {
			begun := c.asked(`{"do":"computer","level":"random","seat":1}`, "match")[0]
			c.asked(about(begun.str("match"), "resign"), "end reason=resign")
		}
		c.asked(`{"do":"create"}`, "table")
		for _, line := range []string{
			about(id, "watch"), `{"do":"seek"}`, `{"do":"create"}`, `{"do":"computer","level":"club"}`,
			`{"do":"join","code":"ABCD"}`,
		} {
			c.asked(line, "error code=too_many")
		}
		full := b.connect(first.player)
		full.says(`{"do":"create"}`, about(id, "leave"), `{"do":"create"}`)
		full.expects("welcome", "table", "match match="+id, "end reason=resign", "error code=too_many do=create")
	})
}
