package classic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"notakto/rules"
)

// Errors of [Program.Run], [ParseProgram] and [ParseComputer].
var (
	ErrNoSuchProgram  = errors.New("no such program: want two, three or one")
	ErrNoSuchComputer = errors.New("no such computer: want strong or random")
	ErrInputEnded     = errors.New("input ended before the game did")
)

// maxLine is the most bytes that a line may have, without its newline. The input's buffer must be larger.
const maxLine = 4096

// Program is one of the classic programs. The zero value is invalid. Use [ParseProgram].
type Program uint8

// The programs.
const (
	// Two is Notakto on two boards for one or two people. Its cells are numbered like a keypad.
	Two Program = iota + 1
	// Three is Notakto on three boards A, B and C for two people. Its cells are numbered 0 to 8.
	Three
	// One is tic-tac-toe or Notakto on one board for one or two people, game after game.
	One
)

var programNames = [...]string{Two: "two", Three: "three", One: "one"}

// Programs lists the programs in the order of menus.
func Programs() []Program { return []Program{Two, Three, One} }

// String returns the program's name, or "" for an invalid Program.
func (p Program) String() string {
	if int(p) < len(programNames) {
		return programNames[p]
	}
	return ""
}

// ParseProgram reads a program's exact name. The error is [ErrNoSuchProgram].
func ParseProgram(name string) (Program, error) {
	for _, p := range Programs() {
		if name == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%w (not %.40q)", ErrNoSuchProgram, name)
}

// Run plays p and returns nil when the game is over. Only [One] uses options. Run reads ahead, holds a few kilobytes
// and starts no goroutine. To stop Run, end in.
//
// Run returns [ErrInputEnded] at the end of in, [ErrNoSuchProgram] for the zero Program, or the wrapped error of a
// read or write.
func (p Program) Run(in io.Reader, out io.Writer, options Options) error {
	d := &dialogue{in: bufio.NewReaderSize(in, maxLine+1), out: bufio.NewWriter(out)}
	var err error
	switch p {
	case Two:
		err = d.playTwo()
	case Three:
		err = d.playThree()
	case One:
		err = d.playOne(options)
	default:
		return ErrNoSuchProgram
	}
	if flushErr := d.flush(); err == nil {
		err = flushErr
	}
	return err
}

// Options configure [One]. The zero value is the original program.
type Options struct {
	Computer Computer   // against one person
	Rand     *rand.Rand // source of every draw, or nil for a random seed
}

// Computer is a computer player of [One].
type Computer uint8

// The computers.
const (
	Drawn  Computer = iota // Strong or Random, by a fair coin at the start of each game against the computer
	Strong                 // plays by a rule, and never loses when it moves first
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

// dialogue talks with the players of a program. A dialogue buffers output until the program waits for a reply, where
// a failed write ends the program.
type dialogue struct {
	in  *bufio.Reader
	out *bufio.Writer
}

func (d *dialogue) say(line string) { fmt.Fprintln(d.out, line) }

func (d *dialogue) sayf(format string, values ...any) { fmt.Fprintf(d.out, format+"\n", values...) }

// promptf is sayf without the end of the line.
func (d *dialogue) promptf(format string, values ...any) { fmt.Fprintf(d.out, format, values...) }

// readLine waits for the next line and returns it without the white space around it. The last line needs no newline.
// readLine skips a line of more than maxLine bytes to its end and returns an empty one, because an empty line answers
// no question.
func (d *dialogue) readLine() (string, error) {
	if err := d.flush(); err != nil {
		return "", err
	}
	line, err := d.in.ReadSlice('\n')
	isTooLong := len(bytes.TrimSuffix(line, []byte{'\n'})) > maxLine
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = d.in.ReadSlice('\n')
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return "", fmt.Errorf("read the input: %w", err)
	case isTooLong:
		return "", nil
	case err != nil && len(line) == 0:
		return "", ErrInputEnded
	}
	return string(bytes.TrimSpace(line)), nil
}

func (d *dialogue) flush() error {
	if err := d.out.Flush(); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	return nil
}

// cellText returns the mark in a cell, or the cell's number in the program while the cell is free.
func cellText(p rules.Position, m rules.Move, number int) string {
	switch p.At(int(m.Board), m.Cell) {
	case rules.Cross:
		return "X"
	case rules.Nought:
		return "0"
	default:
		return strconv.Itoa(number)
	}
}

// fromTopLeft returns the cell with a number that counts row by row from the top left, starting at 0.
func fromTopLeft(number int) rules.Cell { return rules.TicTacToe().CellAt(number/3, number%3) }

// rowTexts returns the texts of a row of a board. base is the number of the cell at the top left.
func rowTexts(p rules.Position, board, row, base int) []string {
	texts := make([]string, 0, 3)
	for n := row * 3; n < row*3+3; n++ {
		texts = append(texts, cellText(p, rules.Move{Board: uint8(board), Cell: fromTopLeft(n)}, base+n))
	}
	return texts
}
