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

	"notakto/internal/testkit"
	"notakto/rules/classic"
)

// A transcript is a whole run of a program as a person sees it. In the files the typed lines stand between « and »,
// and the newline after » is typed too.
type transcript struct {
	printed []string // before each typed line, and at the end
	typed   []string
}

func readTranscript(t *testing.T, name string) transcript {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	testkit.OK(t, err)
	typed := regexp.MustCompile(`«(.*)»\n`)
	whole := transcript{printed: typed.Split(string(text), -1)}
	for _, match := range typed.FindAllStringSubmatch(string(text), -1) {
		whole.typed = append(whole.typed, match[1])
	}
	return whole
}

// person types the lines of a transcript. Read fails unless the program has printed exactly the output before the
// line.
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

// follow runs a program through a transcript. It returns the first difference, and the error of Run.
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

// sampleRuns returns the errors that end the sample runs. The runs come from the programs' first descriptions, with
// later corrections of wording and boards. For program two those recorded only six positions with the computer's
// move. Each file named example leads to one of the six.
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
	testkit.OK(t, err)
	return program
}

// If the input of a run ends early, the program has printed the whole run's output up to there.
func TestSampleRuns(t *testing.T) {
	for name, end := range sampleRuns() {
		t.Run(name, func(t *testing.T) {
			whole, program := readTranscript(t, name), programOf(t, name)
			wrong, got := follow(whole, program, classic.Options{Computer: classic.Strong})
			if wrong != nil || !errors.Is(got, end) {
				t.Errorf("it ended with %v, not %v: %v", got, end, wrong)
			}
			for lines := range whole.typed {
				cut := transcript{printed: whole.printed[:lines+1], typed: whole.typed[:lines]}
				wrong, end := follow(cut, program, classic.Options{Computer: classic.Strong})
				if wrong != nil || !errors.Is(end, classic.ErrInputEnded) {
					t.Errorf("cut after %d lines: %v, %v", lines, wrong, end)
				}
			}
		})
	}
}

// The computer drew its cells at random in these runs. Some seed must lead to each run.
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
	testkit.OK(t, err)
	testkit.Equal(t, len(files), len(sampleRuns())+2)
}
