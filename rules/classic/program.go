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

// Run plays p. It returns nil when the game is over, [ErrInputEnded] at the end of in, [ErrNoSuchProgram] for the zero
// Program, or the wrapped error of a read or write. Run reads ahead, holds a few kilobytes and starts no goroutine; to
// stop it, end in. Only [One] uses options.
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

// dialogue is a program's side of the conversation. Output is buffered until the program waits for a reply; a failed
// write is detected there and ends the program.
type dialogue struct {
	in  *bufio.Reader
	out *bufio.Writer
}

func newDialogue(in io.Reader, out io.Writer) *dialogue {
	return &dialogue{in: bufio.NewReaderSize(in, maxLine+1), out: bufio.NewWriter(out)}
}

// say writes a line.
func (d *dialogue) say(line string) { fmt.Fprintln(d.out, line) }

// sayf writes a line after a format.
func (d *dialogue) sayf(format string, values ...any) { fmt.Fprintf(d.out, format+"\n", values...) }

// promptf writes a text after a format, without ending its line.
func (d *dialogue) promptf(format string, values ...any) { fmt.Fprintf(d.out, format, values...) }

// reply waits for the next line that the player types.
func (d *dialogue) reply() (string, error) {
	if err := d.flush(); err != nil {
		return "", err
	}
	return readLine(d.in)
}

func (d *dialogue) flush() error {
	if err := d.out.Flush(); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	return nil
}

// ErrInputEnded says that the input ended before the game was over.
var ErrInputEnded = errors.New("input ended before the game did")

// maxLine is the most bytes a line may have, without the newline that ends it.
const maxLine = 4096

// readLine reads a line without the white space around it. The last line needs no newline. A line that is too long is
// skipped to its end and read as an empty one, which no question of any program takes for an answer. The reader's
// buffer has to hold more than maxLine bytes.
func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	long := len(bytes.TrimSuffix(line, []byte{'\n'})) > maxLine
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = in.ReadSlice('\n')
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return "", fmt.Errorf("read the input: %w", err)
	case long:
		return "", nil
	case err != nil && len(line) == 0:
		return "", ErrInputEnded
	}
	return string(bytes.TrimSpace(line)), nil
}

// face is what a cell shows: its mark, or, while it is free, the number it goes by in the program.
func face(p rules.Position, m rules.Move, number int) string {
	switch p.At(int(m.Board), m.Cell) {
	case rules.Cross:
		return "X"
	case rules.Nought:
		return "0"
	default:
		return strconv.Itoa(number)
	}
}

// fromTopLeft is the cell with a number that counts row by row from the top left, which is 0.
func fromTopLeft(number int) rules.Cell { return rules.TicTacToe().CellAt(number/3, number%3) }

// rowFaces are the faces of a row of a board whose cells are numbered from the top left, beginning with base.
func rowFaces(p rules.Position, board, row, base int) []string {
	faces := make([]string, 0, 3)
	for n := row * 3; n < row*3+3; n++ {
		faces = append(faces, face(p, rules.Move{Board: uint8(board), Cell: fromTopLeft(n)}, base+n))
	}
	return faces
}
