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

// Marks and Boards are the size of an opening.
const (
	Marks  = 4
	Boards = 4
)

// MaxSeed is the length of the longest seed in bytes.
const MaxSeed = 128

// ErrBadSeed says that a text is no seed.
var ErrBadSeed = errors.New("not a seed")

// A draw ends after maxRounds rounds of perRound candidates.
const (
	maxRounds = 100
	perRound  = 100
)

// Pair holds the openings of two games, which are siblings, in the order of the games.
type Pair [2]rules.Position

// Check returns nil for a seed that people can pass on: 1 to [MaxSeed] bytes of UTF-8 without control characters and
// other characters that cannot be seen. Otherwise the error is [ErrBadSeed] with the reason.
func Check(seed string) error {
	invisible := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(seed) == "":
		return fmt.Errorf("%w: it is empty", ErrBadSeed)
	case len(seed) > MaxSeed:
		return fmt.Errorf("%w: it has %d bytes, and may have %d", ErrBadSeed, len(seed), MaxSeed)
	case !utf8.ValidString(seed):
		return fmt.Errorf("%w: it is not UTF-8", ErrBadSeed)
	case strings.ContainsFunc(seed, invisible):
		return fmt.Errorf("%w: it has a control character or another that cannot be seen", ErrBadSeed)
	}
	return nil
}

// Hash returns the commitment to a seed: its SHA-256 in lower-case hexadecimal digits.
func Hash(seed string) string {
	sum := sha256.Sum256([]byte(seed))
	return hex.EncodeToString(sum[:])
}

// Draw returns the openings of a seed, which may be any text. One seed always has the same openings.
func Draw(seed string) Pair {
	pair, _ := draw(seed, maxRounds)
	return pair
}

// draw returns the first pair that it finds in so many rounds, and the index of its round. If no round finds one, draw
// returns a fixed pair, and rounds.
func draw(seed string, rounds int) (pair Pair, round int) {
	// The key is not the commitment: everyone could draw from that.
	source := rand.NewChaCha8(sha256.Sum256([]byte("notakto opening 1\x00" + seed)))
	for round = range rounds {
		var first opening
		for range perRound {
			switch o := newOpening(candidate(source)); {
			case o.winning == 0:
			case first.winning == 0:
				first = o
			case first.isSibling(o):
				return Pair{first.position, o.position}, round
			}
		}
	}
	// These are the siblings of the seed "notakto".
	pair[0], _ = rules.ParsePosition("..XX..X../.X......./........./.........")
	pair[1], _ = rules.ParsePosition("........./..X....../........./....XX.X.")
	return pair, rounds
}

// candidate draws the marks of a position without killing a board.
func candidate(source *rand.ChaCha8) rules.Position {
	v, _ := rules.Notakto(Boards)
	p := v.Start()
	for range Marks {
		moves := safeMoves(p)
		p, _ = p.Play(moves[below(source, len(moves))])
	}
	return p
}

// safeMoves returns the moves that kill no board.
func safeMoves(p rules.Position) []rules.Move { return slices.DeleteFunc(p.Legal(), p.Kills) }

// below returns a random number from 0 to n-1.
func below(source *rand.ChaCha8, n int) int {
	end := math.MaxUint64 - math.MaxUint64%uint64(n) // a multiple of n
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
	return opening{position: p, winning: len(strategy.Analyse(p).Winning()), safe: len(safeMoves(p)), shape: shapeOf(p)}
}

func (o opening) isSibling(other opening) bool {
	return o.winning == other.winning && o.safe == other.safe && o.shape != other.shape
}

// shape is equal for positions that differ only in the order of their boards and by symmetries of a board.
type shape [Boards]uint16

func shapeOf(p rules.Position) (s shape) {
	for i := range s {
		s[i] = smallest(p, i)
	}
	slices.Sort(s[:])
	return s
}

// smallest returns the smallest of the patterns that the eight symmetries of a board make of its crosses.
func smallest(p rules.Position, board int) uint16 {
	v := p.Variant()
	last := v.Rows() - 1
	var patterns [8]uint16
	for c := range v.Cells() {
		if p.At(board, c) == rules.Empty {
			continue
		}
		row, column := v.Place(c)
		for i := range patterns {
			r, k := row, column
			if i&1 != 0 {
				r = last - r
			}
			if i&2 != 0 {
				k = last - k
			}
			if i&4 != 0 {
				r, k = k, r
			}
			patterns[i] |= 1 << (r*v.Rows() + k)
		}
	}
	return slices.Min(patterns[:])
}
