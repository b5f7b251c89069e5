package plain

import (
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

var update = flag.Bool("update", false, "renew the parts of docs/accessibility.md that are made from the program")

const page = "../../docs/accessibility.md"

func TestPageShowsASession(t *testing.T) {
	inBubble(t, func(b *harness) {
		var shown strings.Builder
		a := b.open(Config{Player: ann()})
		received := func() { shown.WriteString(a.out.Take()) }
		received()
		for _, line := range []string{
			"computer " + strategy.Perfect.String() + " 2 boards first", "b5", "boards", "deadly",
			"resign", "yes", "review", "quit",
		} {
			shown.WriteString("> " + line + "\n")
			a.types(line)
			received()
			pass(2 * time.Second)
			received()
		}
		inPage(t, "session", "```text\n"+shown.String()+"```\n")
	})
}

// inPage checks the text between the marks of a part of the page.
func inPage(t *testing.T, part, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	testkit.OK(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- "+part+" -->\n")
	got, after, ends := strings.Cut(rest, "<!-- end of "+part+" -->\n")
	switch {
	case !found || !ends:
		t.Fatalf("the page has no part %q", part)
	case got == want:
	case *update:
		made := before + "<!-- " + part + " -->\n" + want + "<!-- end of " + part + " -->\n" + after
		testkit.OK(t, os.WriteFile(page, []byte(made), 0o644))
	default:
		t.Errorf("the page is not as the program; -update renews it, and the change is to be read. Want:\n%s", want)
	}
}

// In random matches both players and a spectator hear each move once and in order, each dead board, and the result.
func TestTheTranscriptIsTheMatch(t *testing.T) {
	for _, n := range []int{1, 2, 3, rules.MaxBoards} {
		inBubble(t, func(b *harness) {
			a, c := b.pair(n)
			w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
			w.types("watch")
			w.skips()
			var received [3]string
			rng, position := rand.New(rand.NewPCG(7, uint64(n))), boards(t, n).Start()
			var played []string
			for !position.Outcome().IsOver() {
				legal := position.LegalMoves()
				m := legal[rng.IntN(len(legal))]
				[]*person{a, c}[len(played)%2].types(m.String())
				for i, p := range []*person{a, c, w} {
					received[i] += p.out.Take()
				}
				played = append(played, m.String())
				position, _ = position.Play(m)
			}
			won := []string{"You won.", "You lost."}
			if position.Outcome().Winner == rules.Second {
				won[0], won[1] = won[1], won[0]
			}
			for i, end := range append(won,
				map[rules.Side]string{rules.First: "ann won.", rules.Second: "bob won."}[position.Outcome().Winner]) {
				testkit.Equal(t, movesIn(received[i]), strings.Join(played, " "), i)
				if strings.Count(received[i], "is dead.") != n || strings.Count(received[i], end) != 1 {
					t.Errorf("listener %d heard %s", i, received[i])
				}
			}
		})
	}
}

// movesIn returns the moves in printed sentences.
func movesIn(received string) string {
	var moves []string
	for _, m := range regexp.MustCompile(`Board ([A-I]): \w+ at ([1-9])\.`).FindAllStringSubmatch(received, -1) {
		moves = append(moves, m[1]+m[2])
	}
	return strings.Join(moves, " ")
}
