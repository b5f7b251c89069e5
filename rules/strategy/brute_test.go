package strategy_test

import (
	"slices"
	"strings"
	"testing"

	"notakto/rules"
)

// bruteForce evaluates Notakto with nothing but the rules: boards are strings, and every line of play is followed. Of
// boards that are mirror images or rotations of each other one is searched, and dead ones are left out, or three boards
// would take too long.
type bruteForce struct {
	canonical map[string]string
	known     map[string]bool
}

func newBruteForce() *bruteForce {
	return &bruteForce{canonical: map[string]string{}, known: map[string]bool{}}
}

// wins reports whether the side to move wins on the boards, none of which is dead.
func (b *bruteForce) wins(boards []string) bool {
	if len(boards) == 0 {
		return true // the opponent has just killed the last one
	}
	slices.Sort(boards)
	key := strings.Join(boards, "/")
	if won, ok := b.known[key]; ok {
		return won
	}
	b.known[key] = slices.ContainsFunc(b.after(boards), func(next []string) bool { return !b.wins(next) })
	return b.known[key]
}

// after lists what the boards can become by one move.
func (b *bruteForce) after(boards []string) [][]string {
	var all [][]string
	for i, board := range boards {
		for cell := range 9 {
			if board[cell] == 'X' {
				continue
			}
			next := slices.Delete(slices.Clone(boards), i, i+1)
			if marked := board[:cell] + "X" + board[cell+1:]; !deadOnPaper(marked) {
				next = append(next, b.image(marked))
			}
			all = append(all, next)
		}
	}
	return all
}

// image returns the alphabetically first rotation or mirror image of a board.
func (b *bruteForce) image(board string) string {
	if first, ok := b.canonical[board]; ok {
		return first
	}
	first, turned := board, board
	for i := range 8 {
		if i == 4 {
			turned = turned[6:9] + turned[3:6] + turned[0:3]
		}
		var next strings.Builder
		for cell := range 9 {
			next.WriteByte(turned[6-3*(cell%3)+cell/3])
		}
		turned = next.String()
		first = min(first, turned)
	}
	b.canonical[board] = first
	return first
}

func deadOnPaper(board string) bool {
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		if board[line[0]-'0'] == 'X' && board[line[1]-'0'] == 'X' && board[line[2]-'0'] == 'X' {
			return true
		}
	}
	return false
}

// liveOf returns the boards of p that are alive.
func (b *bruteForce) liveOf(p rules.Position) []string {
	var live []string
	for board := range strings.SplitSeq(p.String(), "/") {
		if !deadOnPaper(board) {
			live = append(live, b.image(board))
		}
	}
	return live
}

func TestBruteForceKnowsTheEndOfTheGame(t *testing.T) {
	b := newBruteForce()
	for board, want := range map[string]bool{
		"XX.XX....": false, // every cell kills
		"XX.X.....": true,  // to that
		"....X....": false,
		".........": true,
	} {
		if got := b.wins([]string{board}); got != want {
			t.Errorf("on %s alone the side to move wins: %v", board, got)
		}
	}
	if !b.wins(nil) {
		t.Error("who kills the last board does not lose")
	}
}
