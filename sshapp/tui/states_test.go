package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules/strategy"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// states returns functions that lead sessions to states that neither pictures nor keys at random reach.
// [person.mustBeWhole] checks the screen after each message.
func states() map[string]func(b *harness) {
	return map[string]func(b *harness){
		"3+2":  func(b *harness) { b.useUpTime("3+2") },
		"5+0":  func(b *harness) { b.useUpTime("5+0") },
		"days": func(b *harness) { b.useUpTime("1d") },
		"elsewhere": func(b *harness) {
			first, second := b.pair("notakto/3")
			first.press("q y 2 enter 3s q y")
			second.press("q y 1 40s")
			b.comeTo(keyed("cleo"), start.Start{At: start.Queue})
			second.press("10s o q y 2m")
			for _, p := range []*person{first, second} {
				p.press("enter")
				p.Close()
				b.comeTo(p.Player(), start.Start{})
			}
		},
		"rated pair": func(b *harness) {
			first, second := b.rated()
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			first.press("r y v ? x s")
			b.advance(match.SecondGameDelay)
			second.press("? x q n r y")
			for _, p := range []*person{first, second, cleo} {
				p.press("? x s v g n n g left left ? x p")
			}
		},
		"away": func(b *harness) {
			first, second := b.pair("notakto/3")
			cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
			b.play(first, second, "A5", "B5")
			first.Close()
			second.press("90s v ? x")
			cleo.press("v")
			b.come(first.Player())
		},
		"messages": func(b *harness) {
			p := b.come(keyed("ann"))
			for _, text := range []string{
				"Maintenance begins at 2026-11-25 08:00:00 UTC: no new matches begin then.",
				"The server stops in ten minutes. Please finish your matches; they are kept and go on after the " +
					"next start.",
			} {
				p.send(Notice(text))
				p.press("down")
				p.send(Announcement(text))
				p.press("10s down")
			}
			b.comeAs(Config{Player: keyed("ann-2"), Renamed: true})
			b.comeAs(Config{Player: keyed("ann"), Renamed: true, Host: "games.example.org"})
			p = b.comeAs(Config{Player: keyed("ann"), DeletedAt: time.Now().Add(48 * time.Hour)})
			p.mustSee("Your account will be deleted on 28 November. To keep it: ssh HOST me undo")
		},
	}
}

// useUpTime makes two people play with a clock until one of them leaves.
func (b *harness) useUpTime(clock string) {
	first, second := b.pair("notakto/3 " + clock)
	b.play(first, second, "A5")
	first.press("q n r n ctrl+c n")
	second.press("q n r n 20s")
	b.play(second, first, "B5", "100s")
	first.Close()
	b.advance(80 * time.Second)
}

// wander presses keys of the screens that the players see, at random.
func (b *harness) wander(seed uint64) {
	rng := rand.New(rand.NewPCG(1, seed)) //nolint:gosec // a test
	for range 60 {
		p := b.players[rng.IntN(len(b.players))]
		if p.quit {
			return
		}
		own, settings := p.helpActions()
		actions := slices.Concat(own, settings, p.screen.actions())
		if p.dialog != nil {
			actions = []action{{key: &p.env.keys.yes}, {key: &p.env.keys.no}}
		}
		keys := actions[rng.IntN(len(actions))].key.Keys()
		p.press(keys[rng.IntN(len(keys))])
		if rng.IntN(5) == 0 {
			b.advance(time.Duration(rng.IntN(12)) * time.Second)
		}
	}
}

// longName is a suffix that makes names as long as allowed.
const longName = "-of-long-name#k7"

func TestSentencesFitIntoTheSmallestWindow(t *testing.T) {
	all := states()
	for name, picture := range pictures() {
		all["picture, "+name] = func(b *harness) {
			picture(b).press("?")
			b.wander(uint64(len(name)))
		}
	}
	for name, state := range all {
		for _, suffix := range []string{"", longName} {
			t.Run(fmt.Sprintf("%s, %d", name, len(suffix)), func(t *testing.T) {
				cfg := manager.Config{FirstMove: 30 * time.Second, LaterMove: 5 * time.Minute}
				inBubbleWith(t, cfg, func(b *harness) {
					b.suffix = suffix
					state(b)
				})
			})
		}
	}
}

// mustBeWhole draws the screen in the smallest window and fails if a sentence is cut. person.take calls mustBeWhole
// after every message. All states that the tests reach are therefore checked.
func (p *person) mustBeWhole() {
	p.Helper()
	isHostile := strings.ContainsFunc(strings.Join(p.names, ""), unicode.IsControl)
	if isHostile || p.isTooSmall() || p.env.theme.Charset() != draw.Unicode {
		return
	}
	width, height := p.env.width, p.env.height
	p.env.width, p.env.height = minWidth, minHeight
	var grid render.Grid
	p.Render(&grid)
	p.env.width, p.env.height = width, height
	text := grid.String()
	for line := range strings.SplitSeq(text, "\n") {
		if cut := p.cutIn(line); cut != "" && !p.told[cut] {
			p.told[cut] = true
			p.Errorf("%q is cut at %dx%d:\n%s", cut, minWidth, minHeight, text)
		}
	}
}

// cutIn returns the cut part of a line of the smallest window, or "". A part is cut if it ends in an ellipsis without
// being a name, or has a letter in the last column.
func (p *person) cutIn(line string) string {
	if text := []rune(strings.TrimRight(line, " ")); ansi.StringWidth(string(text)) == minWidth {
		if unicode.In(text[len(text)-1], unicode.L, unicode.N) {
			return line
		}
	}
	rest := line
	for {
		before, after, found := strings.Cut(rest, "…")
		if !found {
			return ""
		}
		if !p.endsInName(before) && !p.beginsInName(after) && !isStrip(before) {
			return before + "…"
		}
		rest = after
	}
}

// isStrip reports whether the ellipsis after a text stands for earlier moves.
func isStrip(before string) bool { return strings.TrimSpace(before) == "Moves" }

// beginsInName reports whether a text begins with the end of a player's name that the server gave.
func (p *person) beginsInName(text string) bool {
	return slices.ContainsFunc(p.names, func(name string) bool {
		own, isGiven := strings.CutPrefix(name, account.GivenPrefix)
		return isGiven && strings.HasPrefix(text, own)
	})
}

// endsInName reports whether a text ends in the beginning of a player's name.
func (p *person) endsInName(text string) bool {
	for _, name := range append(wording.LevelNames(strategy.Levels()), p.names...) {
		for n := range name {
			if n > 0 && strings.HasSuffix(text, name[:n]) {
				return true
			}
		}
	}
	return false
}
