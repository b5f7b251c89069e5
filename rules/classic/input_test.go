package classic_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"notakto/internal/testkit"
	"notakto/rules/classic"
)

// firstMoves returns a first move for each program, the input before that move, and the reply to a bad move.
func firstMoves() map[classic.Program]struct{ typed, move, complaint string } {
	return map[classic.Program]struct{ typed, move, complaint string }{
		classic.Two:   {"2\n1\n", "5", "Input out of range. Please input again:"},
		classic.Three: {"", "A5", "Invalid move, please input again"},
		classic.One:   {"1\n2\n", "5", "Invalid input, please enter again."},
	}
}

// A line may have 4,096 bytes. The last one needs no newline. Input in pieces is the same input.
func TestLines(t *testing.T) {
	for program, first := range firstMoves() {
		good, _ := run(program, first.typed+first.move+"\n", classic.Options{})
		spaces := strings.Repeat(" ", 4096-len(first.move))
		for _, line := range []string{
			first.move + spaces + "\n", spaces + first.move + "\n", first.move, first.move + "\r\n", first.move + "\r",
			first.move + " \t", first.move + "\v\f\n",
		} {
			for _, in := range []io.Reader{
				strings.NewReader(first.typed + line), iotest.OneByteReader(strings.NewReader(first.typed + line)),
				iotest.DataErrReader(strings.NewReader(first.typed + line)),
				iotest.HalfReader(strings.NewReader(first.typed + line)),
			} {
				var out bytes.Buffer
				if err := program.Run(in, &out, classic.Options{}); out.String() != good ||
					!errors.Is(err, classic.ErrInputEnded) {
					t.Errorf("%v, %.10q: %v\n%s", program, line, err, out.String())
				}
			}
		}
	}
}

func TestALongLineIsOneInvalidLine(t *testing.T) {
	for program, first := range firstMoves() {
		good, _ := run(program, first.typed+first.move+"\n", classic.Options{})
		for _, length := range []int{4097, 8193, 1 << 20} {
			filler := strings.Repeat(" ", length-len(first.move))
			for _, line := range []string{first.move + filler, filler + first.move} {
				out, err := run(program, first.typed+line+"\n"+first.move, classic.Options{})
				if strings.Count(out, first.complaint) != 1 || !strings.HasSuffix(out, good[len(good)-30:]) ||
					!errors.Is(err, classic.ErrInputEnded) {
					t.Errorf("%v, a line of %d bytes: %v\n%s", program, length, err, out)
				}
				last, err := run(program, first.typed+line, classic.Options{})
				if strings.Count(last, first.complaint) != 1 || !errors.Is(err, classic.ErrInputEnded) {
					t.Errorf("%v, a last line of %d bytes: %v\n%s", program, length, err, last)
				}
			}
		}
	}
}

func TestALineWithoutEndTakesNoMemory(t *testing.T) {
	for program := range firstMoves() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := program.Run(io.LimitReader(&endless{line: "a"}, 64<<20), io.Discard, classic.Options{})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, classic.ErrInputEnded) || used > 1<<20 {
			t.Errorf("%v takes %d bytes and ends with %v", program, used, err)
		}
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestAFailingInputEndsTheProgram(t *testing.T) {
	broken := errors.New("the line is cut")
	for _, program := range classic.Programs() {
		for _, typed := range []string{"", "2\n", "2", strings.Repeat("2", 5000)} {
			in := io.MultiReader(strings.NewReader(typed), iotest.ErrReader(broken))
			if err := program.Run(in, io.Discard, classic.Options{}); !errors.Is(err, broken) ||
				errors.Is(err, classic.ErrInputEnded) {
				t.Errorf("%v after %.10q: %v", program, typed, err)
			}
		}
		if err := program.Run(idle{}, io.Discard, classic.Options{}); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%v, a reader that gives nothing: %v", program, err)
		}
	}
}

// narrow accepts left bytes. Then every Write fails with errFull.
type narrow struct{ left int }

var errFull = errors.New("no room")

func (n *narrow) Write(text []byte) (int, error) {
	if len(text) > n.left {
		return 0, errFull
	}
	n.left -= len(text)
	return len(text), nil
}

// The input never ends. The program must end because of its output.
func TestAFailingOutputEndsTheProgram(t *testing.T) {
	for _, program := range classic.Programs() {
		for room := range 400 {
			in := &endless{line: "1\n"}
			err := program.Run(iotest.OneByteReader(in), &narrow{left: room}, classic.Options{})
			if !errors.Is(err, errFull) || room == 0 && in.at != 0 {
				t.Fatalf("%v with room for %d bytes, %d read: %v", program, room, in.at, err)
			}
		}
	}
}

// endless repeats line for ever.
type endless struct {
	line string
	at   int
}

func (e *endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = e.line[e.at%len(e.line)]
		e.at++
	}
	return len(into), nil
}

// A failed write after the end of the game is an error of Run.
func TestTheLastWordsAreWritten(t *testing.T) {
	const game = "A0\nA4\nA8\nB0\nB4\nB8\nC0\nC4\nC8\n"
	whole, err := run(classic.Three, game, classic.Options{})
	testkit.OK(t, err)
	err = classic.Three.Run(strings.NewReader(game), &narrow{left: len(whole) - 1}, classic.Options{})
	testkit.ErrorIs(t, err, errFull)
}
