package classic

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrNoSuchComputer says that a name is no computer's.
var ErrNoSuchComputer = errors.New("no such computer: it is strong or random")

// Options are what [One] can be told before it begins. The zero value is the program as it always was.
type Options struct {
	Computer Computer   // who plays against one person
	Rand     *rand.Rand // where every draw comes from, so that the same seed plays the same games; nil draws differently each time
}

// chance is where the draws come from.
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

// ParseComputer reads the name of a computer that can be asked for, strong or random. The error is [ErrNoSuchComputer].
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
