package classic_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"notakto/rules/classic"
)

// A transcript is a whole run as a person sees it: what the program prints, and between « and » the lines that are
// typed. The newline that ends a typed line is the person's.
type transcript struct {
	printed []string // before each typed line, and at the end
	typed   []string
}

func parseTranscript(text string) transcript {
	typed := regexp.MustCompile(`«(.*)»\n`)
	t := transcript{printed: typed.Split(text, -1)}
	for _, match := range typed.FindAllStringSubmatch(text, -1) {
		t.typed = append(t.typed, match[1])
	}
	return t
}

func readTranscript(t *testing.T, name string) transcript {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return parseTranscript(string(text))
}

// person types the lines of a transcript, each only after exactly the output before it has been printed.
type person struct {
	transcript
	seen  bytes.Buffer
	lines int
}

var errUnexpected = errors.New("that is not what it should print")

func (p *person) Write(text []byte) (int, error) { return p.seen.Write(text) }

func (p *person) Read(into []byte) (int, error) {
	if err := p.look(); err != nil {
		return 0, err
	}
	if p.lines == len(p.typed) {
		return 0, io.EOF
	}
	p.lines++
	return copy(into, p.typed[p.lines-1]+"\n"), nil
}

func (p *person) look() error {
	if want := strings.Join(p.printed[:p.lines+1], ""); p.seen.String() != want {
		return fmt.Errorf("%w: after %d lines\n%s\nand not\n%s", errUnexpected, p.lines, p.seen.String(), want)
	}
	return nil
}

// follow runs a program through a transcript and returns what is wrong, and how the program ended.
func follow(t transcript, program classic.Program, options classic.Options) (wrong, end error) {
	p := &person{transcript: t}
	end = program.Run(p, p, options)
	if errors.Is(end, errUnexpected) {
		return end, end
	}
	if p.lines < len(t.typed) {
		return fmt.Errorf("%w: it ended after %d lines, with: %w", errUnexpected, p.lines, end), end
	}
	return p.look(), end
}

// The sample runs of the programs' first descriptions, with the wording and the boards that were corrected since. For
// program two only six positions and the computer's move in each were recorded: every file named example leads to one
// of them.
func sampleRuns() map[string]error {
	return map[string]error{
		"one_input":                 classic.ErrInputEnded,
		"one_notakto_people":        nil,
		"one_notakto_strong":        nil,
		"one_tictactoe_people":      classic.ErrInputEnded,
		"one_tictactoe_strong":      nil,
		"three_game":                nil,
		"three_invalid":             classic.ErrInputEnded,
		"two_example_kill_first":    nil,
		"two_example_kill_second":   nil,
		"two_example_more_crosses":  nil,
		"two_example_fewer_crosses": nil,
		"two_example_spare_first":   nil,
		"two_example_spare_second":  nil,
		"two_people":                nil,
		"two_people_invalid":        nil,
	}
}

func programOf(t *testing.T, run string) classic.Program {
	t.Helper()
	name, _, _ := strings.Cut(run, "_")
	program, err := classic.ParseProgram(name)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestSampleRuns(t *testing.T) {
	for name, end := range sampleRuns() {
		t.Run(name, func(t *testing.T) {
			wrong, got := follow(readTranscript(t, name), programOf(t, name), classic.Options{Computer: classic.Strong})
			if wrong != nil {
				t.Error(wrong)
			}
			if !errors.Is(got, end) {
				t.Errorf("it ended with %v, not %v", got, end)
			}
		})
	}
}

// Wherever the input ends, the program has printed what it prints in the whole run up to there, and says that the input
// ended.
func TestSampleRunsCutShort(t *testing.T) {
	for name := range sampleRuns() {
		whole := readTranscript(t, name)
		for lines := range whole.typed {
			cut := transcript{printed: whole.printed[:lines+1], typed: whole.typed[:lines]}
			wrong, end := follow(cut, programOf(t, name), classic.Options{Computer: classic.Strong})
			if wrong != nil || !errors.Is(end, classic.ErrInputEnded) {
				t.Errorf("%s cut after %d lines: %v, %v", name, lines, wrong, end)
			}
		}
	}
}

// In these runs the computer drew its cells, so some draw has to lead to each of them, with the random computer and
// with a drawn one.
func TestSampleRunsOfTheRandomComputer(t *testing.T) {
	for _, name := range []string{"one_notakto_random", "one_notakto_early_computer"} {
		for _, computer := range []classic.Computer{classic.Random, classic.Drawn} {
			run := readTranscript(t, name)
			found := false
			for seed := uint64(0); seed < 20_000 && !found; seed++ {
				wrong, end := follow(run, classic.One, classic.Options{Computer: computer, Rand: rand.New(rand.NewPCG(seed, 0))})
				found = wrong == nil && end == nil
			}
			if !found {
				t.Errorf("%s: no seed plays it with computer %d", name, computer)
			}
		}
	}
}

func TestEveryTranscriptIsReplayed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := len(sampleRuns()) + 2; len(files) != want {
		t.Errorf("there are %d transcripts, and %d are replayed", len(files), want)
	}
}
