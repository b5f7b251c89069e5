package bot

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

func TestClocks(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		one.says(`{"do":"seek","clock":"3+2"}`)
		one.expects("seeking variant=notakto/3 clock=3+2")
		two.says(`{"do":"seek"}`)
		two.expects("seeking clock=nothing") // the terms differ
		two.says(`{"do":"cancel"}`, `{"do":"seek","variant":"notakto/3","clock":"3+2"}`)
		begun := two.expects("cancelled", "seeking", "match clock=3+2 clocks=[180000,180000]")[2]
		one.expects("match clock=3+2 clocks=[180000,180000]")
		if begun.field("seat") == "1" {
			one, two = two, one
		}
		id := begun.str("match")
		play := func(c *peer, move string) { c.says(`{"do":"move","match":"` + id + `","move":"` + move + `"}`) }
		pass(10 * time.Second)
		play(one, "A5")
		play(two, "B5")
		pass(10 * time.Second)
		play(one, "C5")
		one.expects("move clocks=[180000,180000]", "move clocks=[180000,180000]", "move clocks=[172000,180000]")
		pass(30 * time.Second)
		two.says(`{"do":"state","match":"` + id + `"}`)
		two.expects("move", "move", "move clocks=[172000,180000]", "match clocks=[172000,150000]")
		pass(150 * time.Second)
		two.expects(`end winner=1 reason=time`)
	})
}

func TestClocksElsewhere(t *testing.T) {
	inBubble(t, func(b *harness) {
		one := b.enter(ann())
		one.says(`{"do":"computer","level":"club","seat":1,"clock":"1d"}`)
		one.expects("match clock=1d clocks=[345600000,345600000]")
		one.says(`{"do":"create","clock":"5+0"}`, `{"do":"create","clock":"none"}`)
		one.expects("table", "table")
		one.says(`{"do":"seek","clock":"0+9"}`, `{"do":"create","clock":""}`,
			`{"do":"computer","level":"club","clock":7}`, `{"do":"seek","clock":null}`)
		one.expects("error code=bad_clock do=seek", "error code=bad_clock do=create", "error code=bad_json do=computer",
			"error code=bad_json do=seek")
		one.says(`{"do":"computer","level":"club","seat":1}`)
		one.expects("match clock=nothing clocks=nothing")
	})
}

func TestClockOfSeveralVariants(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		one.says(`{"do":"seek","variants":["notakto/5","notakto/3"],"clock":"1d"}`)
		one.expects(`seeking variant=notakto/5 variants=["notakto/5","notakto/3"] clock=1d`)
		two.says(`{"do":"seek","variants":["notakto/3"]}`, `{"do":"cancel"}`,
			`{"do":"seek","variants":["notakto/3"],"clock":"1d"}`)
		two.expects("seeking clock=nothing", "cancelled", "seeking clock=1d", "match variant=notakto/3 clock=1d")
		one.says(`{"do":"seek","variants":["notakto/3"],"clock":"soon"}`)
		one.expects("match variant=notakto/3 clock=1d", "error code=bad_clock do=seek")
	})
}

// Of several moves at once only the last has clocks, of two moves both have.
func TestClocksOfSeveralMoves(t *testing.T) {
	l := began(rules.DefaultVariant())
	testkit.OK(t, l[0].Clock.UnmarshalText([]byte("1+0")))
	l = l.moves(t, rules.DefaultVariant(), "A5 B5 A1 B1 A2")
	for i := range l {
		if l[i].Kind == match.Moved {
			l[i].Spent = time.Duration(i) * time.Second
		}
	}
	lines := received(t, l, rules.First, 3, 6, 8)
	for i, want := range []string{
		`"clocks":[60000,60000]`, "", "", `"clocks":[55000,60000]`, `"clocks":[55000,54000]`, `"clocks":[48000,54000]`,
	} {
		if want == "" && strings.Contains(lines[i], "clocks") || !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %s, want %q", i, lines[i], want)
		}
	}
}
