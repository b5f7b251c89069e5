package classic

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrNoSuchComputer says that no computer has that name.
var ErrNoSuchComputer = errors.New("no such computer: it is strong or random")

// Options configure [One]. The zero value is the original program.
type Options struct {
	Computer Computer   // plays against one person
	Rand     *rand.Rand // source of every draw, so that equal seeds give equal games; nil for a random seed
}

// chance returns the source of the draws.
func (o Options) chance() *rand.Rand {
	if o.Rand != nil {
		return o.Rand
	}
	return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
}

// Computer is a computer player of [One].
type Computer uint8

// The computers.
const (
	Drawn  Computer = iota // one of the two below, by a fair coin at the start of each game against the computer
	Strong                 // plays by a rule, which never loses when it moves first
	Random                 // takes any free cell
)

// ParseComputer reads the name of a computer, strong or random. The error is [ErrNoSuchComputer].
func ParseComputer(name string) (Computer, error) {
	switch name {
	case "strong":
		return Strong, nil
	case "random":
		return Random, nil
	default:
		return 0, fmt.Errorf("%w (not %.40q)", ErrNoSuchComputer, name)
	}
}
