package plain

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"notakto/match"
	"notakto/rules"
)

// Random matches: both players and someone who looks on hear the same moves, in order and each once, every death and
// the right end.
func TestTheTranscriptIsTheMatch(t *testing.T) {
	for n := 1; n <= rules.MaxBoards; n++ {
		inBubble(t, func(b *harness) {
			a, c := b.pair(n)
			w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
			w.types("watch")
			w.skips()
			var received [3]string
			rng, position := rand.New(rand.NewPCG(7, uint64(n))), boards(t, n).Start()
			var played []string
			for !position.Outcome().Over() {
				legal := position.Legal()
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
				if got := movesIn(received[i]); got != strings.Join(played, " ") {
					t.Errorf("listener %d heard %s, played was %v", i, got, played)
				}
				if strings.Count(received[i], "is dead.") != n || strings.Count(received[i], end) != 1 {
					t.Errorf("listener %d heard %s", i, received[i])
				}
			}
		})
	}
}

// movesIn is the moves that sentences tell.
func movesIn(received string) string {
	var moves []string
	for _, m := range regexp.MustCompile(`Board ([A-I]): \w+ at ([1-9])\.`).FindAllStringSubmatch(received, -1) {
		moves = append(moves, m[1]+m[2])
	}
	return strings.Join(moves, " ")
}
