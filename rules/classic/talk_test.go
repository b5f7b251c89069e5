package classic_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules/classic"
)

// run plays a program with input and returns its output.
func run(program classic.Program, input string, options classic.Options) (string, error) {
	var out strings.Builder
	err := program.Run(strings.NewReader(input), &out, options)
	return out.String(), err
}

// seeded returns options with draws that repeat.
func seeded(computer classic.Computer, seed uint64) classic.Options {
	return classic.Options{Computer: computer, Rand: rand.New(rand.NewPCG(seed, 0))}
}

// talker answers what was printed since its last answer. An empty answer ends the input.
type talker struct {
	answer func(printed string) string
	fresh  bytes.Buffer
	all    strings.Builder
}

func (tk *talker) Write(text []byte) (int, error) {
	tk.all.Write(text)
	return tk.fresh.Write(text)
}

func (tk *talker) Read(into []byte) (int, error) {
	line := tk.answer(tk.fresh.String())
	tk.fresh.Reset()
	if line == "" {
		return 0, io.EOF
	}
	return copy(into, line+"\n"), nil
}

// talk plays a program with the answers of a function and returns all output.
func talk(t *testing.T, program classic.Program, options classic.Options, answer func(printed string) string) string {
	t.Helper()
	tk := &talker{answer: answer}
	if err := program.Run(tk, tk, options); err != nil && !errors.Is(err, classic.ErrInputEnded) {
		t.Fatal(err)
	}
	return tk.all.String()
}

// boardsIn returns the boards of a text, each as its nine cells from the top left.
func boardsIn(text string) []string {
	var boards []string
	var cells strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells.WriteString(strings.NewReplacer("|", "", "\n", "").Replace(line))
		if cells.Len() == 9 {
			boards = append(boards, cells.String())
			cells.Reset()
		}
	}
	return boards
}

// withMark returns the board after a mark on the cell with this face.
func withMark(board, face, mark string) string { return strings.Replace(board, face, mark, 1) }

// freeFaces returns the faces of the free cells, smallest first.
func freeFaces(board string) []string {
	var free []string
	for _, face := range strings.Split("123456789", "") {
		if strings.Contains(board, face) {
			free = append(free, face)
		}
	}
	return free
}
