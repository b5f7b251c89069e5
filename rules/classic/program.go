package classic

import (
	"errors"
	"fmt"
	"io"
)

// ErrNoSuchProgram says that no program has that name.
var ErrNoSuchProgram = errors.New("no such program: it is two, three or one")

// Program is one of the classic programs. The zero value is none; make one with [ParseProgram].
type Program uint8

// The programs.
const (
	Two   Program = iota + 1 // Notakto on two boards, cells numbered like a keypad, for two people or one and the computer
	Three                    // Notakto on three boards A, B and C, cells 0 to 8, for two people
	// tic-tac-toe or Notakto on one board, for two people or one and the computer, as often as wanted
	One
)

var programNames = [...]string{Two: "two", Three: "three", One: "one"}

// Programs lists the programs in the order in which they are offered.
func Programs() []Program { return []Program{Two, Three, One} }

// String returns the program's name; empty for none.
func (p Program) String() string {
	if int(p) < len(programNames) {
		return programNames[p]
	}
	return ""
}

// ParseProgram reads a program's name, written exactly so. The error is [ErrNoSuchProgram].
func ParseProgram(name string) (Program, error) {
	for _, p := range Programs() {
		if name == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%w (not %.40q)", ErrNoSuchProgram, name)
}

// Run plays p until its game is over, which is nil; or until the input ends, which is [ErrInputEnded]; or until reading
// or writing fails, which is that error, wrapped. It reads ahead of what it needs, holds no more than a few kilobytes,
// and starts no goroutine: to stop it, end its input. The options are for [One]; the other programs leave nothing to
// chance.
func (p Program) Run(in io.Reader, out io.Writer, options Options) error {
	d := newDialogue(in, out)
	err := p.play(d, options)
	if flushed := d.flush(); err == nil {
		err = flushed
	}
	return err
}

func (p Program) play(d *dialogue, options Options) error {
	switch p {
	case Two:
		return d.playTwo()
	case Three:
		return d.playThree()
	case One:
		return d.playOne(options)
	default:
		return ErrNoSuchProgram
	}
}
