package opening

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"notakto/rules"
	"notakto/rules/strategy"
)

// MarkCount and BoardCount are the size of an opening.
const (
	MarkCount  = 4
	BoardCount = 4
)

// MaxSeed is the length of the longest seed in bytes.
const MaxSeed = 128

// ErrBadSeed says that a text is no seed.
var ErrBadSeed = errors.New("not a seed")

const (
	maxRounds = 100
	perRound  = 100
)

// Pair holds the sibling openings of two games, in the order of the games.
type Pair [2]rules.Position

// CheckSeed returns nil for a seed that people can pass on: 1 to [MaxSeed] bytes of UTF-8 without control characters
// and other characters that cannot be seen. Otherwise the error is [ErrBadSeed] with the reason.
func CheckSeed(seed string) error {
	invisible := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(seed) == "":
		return fmt.Errorf("%w: it is empty", ErrBadSeed)
	case len(seed) > MaxSeed:
		return fmt.Errorf("%w: it has %d bytes, and may have %d", ErrBadSeed, len(seed), MaxSeed)
	case !utf8.ValidString(seed):
		return fmt.Errorf("%w: it is not UTF-8", ErrBadSeed)
	case strings.ContainsFunc(seed, invisible):
		return fmt.Errorf("%w: it has a control character or an invisible one", ErrBadSeed)
	}
	return nil
}

// Commitment returns the commitment to a seed, its SHA-256 in lower-case hexadecimal digits.
func Commitment(seed string) string {
	sum := sha256.Sum256([]byte(seed))
	return hex.EncodeToString(sum[:])
}

// Draw returns the openings of a seed. Any text is a seed, and has one pair of openings for ever.
func Draw(seed string) Pair {
	pair, _ := draw(seed, maxRounds)
	return pair
}

// draw returns the first pair found within a number of rounds, and the index of its round. If no round has siblings,
// draw returns a fixed pair, and rounds.
func draw(seed string, rounds int) (pair Pair, round int) {
	// The prefix makes the key differ from the published commitment, or every player could draw from that.
	source := rand.NewChaCha8(sha256.Sum256([]byte("notakto opening 1\x00" + seed)))
	for round = range rounds {
		var first opening
		for range perRound {
			switch o := newOpening(drawCandidate(source)); {
			case o.winning == 0:
			case first.winning == 0:
				first = o
			case first.isSibling(o):
				return Pair{first.position, o.position}, round
			}
		}
	}
	// The fixed pair has the siblings of the seed "notakto".
	pair[0], _ = rules.ParsePosition("..XX..X../.X......./........./.........")
	pair[1], _ = rules.ParsePosition("........./..X....../........./....XX.X.")
	return pair, rounds
}

func drawCandidate(source *rand.ChaCha8) rules.Position {
	v, _ := rules.Notakto(BoardCount)
	p := v.Start()
	for range MarkCount {
		moves := safeMoves(p)
		p, _ = p.Play(moves[drawBelow(source, len(moves))])
	}
	return p
}

// safeMoves returns the moves that kill no board.
func safeMoves(p rules.Position) []rules.Move { return slices.DeleteFunc(p.LegalMoves(), p.Kills) }

func drawBelow(source *rand.ChaCha8, n int) int {
	end := math.MaxUint64 - math.MaxUint64%uint64(n)
	for {
		if v := source.Uint64(); v < end {
			return int(v % uint64(n))
		}
	}
}

// opening is a starting position, with the numbers of its winning and safe moves. The zero value is no opening.
type opening struct {
	position      rules.Position
	winning, safe int
	shape         shape
}

// newOpening returns the zero opening for a position that is lost for the player to move.
func newOpening(p rules.Position) opening {
	if strategy.Evaluate(p) != strategy.Win {
		return opening{}
	}
	winning := len(strategy.Analyse(p).WinningMoves())
	return opening{position: p, winning: winning, safe: len(safeMoves(p)), shape: shapeOf(p)}
}

func (o opening) isSibling(other opening) bool {
	return o.winning == other.winning && o.safe == other.safe && o.shape != other.shape
}

// shape is equal for positions that differ only in the order of their boards and by symmetries of a board.
type shape [BoardCount]uint16

func shapeOf(p rules.Position) (s shape) {
	for i := range s {
		s[i] = smallestPattern(p, i)
	}
	slices.Sort(s[:])
	return s
}

// smallestPattern returns the smallest of the patterns that the eight symmetries of a board make of its crosses.
func smallestPattern(p rules.Position, board int) uint16 {
	v := p.Variant()
	var patterns [rules.Symmetries]uint16
	for c := range v.Cells() {
		if p.At(board, c) == rules.Empty {
			continue
		}
		for i := range patterns {
			row, column := v.Place(v.Image(c, i))
			patterns[i] |= 1 << (row*v.Rows() + column)
		}
	}
	return slices.Min(patterns[:])
}
