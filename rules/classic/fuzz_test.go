package classic_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"notakto/rules/classic"
)

// fuzz checks for any input that the program ends with its game or its input, prints only lines that it knows, prints
// a bounded number of lines for each line typed, and prints the same for the same input.
func fuzz(f *testing.F, program classic.Program, lines, unfinished *regexp.Regexp) {
	for _, input := range []string{
		"", "\n", "\r\n\r\n", "2\n1\n5\n1\n", "A0\nA4\nA8\nB0", "1\n2\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n",
		"2\n1\n1\n1\n2\n3\n4\n6\n7\n8\n9\n",
		"2\n2\n1\n2\n3\n1\n2\n2\n1\n2\n3\n0\n", "1.5\n2.0x\n-1\n1e1\n+1\n", "\xff\x00\x1b[2J\n1",
		strings.Repeat("1", 4097) + "\n2\n", strings.Repeat("1\n", 300),
		"1\n1 \n 7\n1\n5\n1\n1\n1\n8\n1\n9\n", "2\n1\n7\n1\n4\n1\n1\n1\n2\n2\n1\n2\n4\n2\n5\n2\n6\n",
	} {
		f.Add(input, uint64(1), uint8(0))
	}
	f.Fuzz(func(t *testing.T, input string, seed uint64, computer uint8) {
		kind := classic.Computer(computer % 3)
		out, err := run(program, input, seeded(kind, seed))
		if err != nil && !errors.Is(err, classic.ErrInputEnded) {
			t.Fatalf("it ends with %v", err)
		}
		checkLines(t, out, err != nil, lines, unfinished)
		if typed := strings.Count(input, "\n") + 1; strings.Count(out, "\n") > 40*(typed+1) {
			t.Fatalf("%d lines typed, and it prints\n%s", typed, out)
		}
		if again, _ := run(program, input, seeded(kind, seed)); again != out {
			t.Fatalf("it prints\n%s\nand then\n%s", out, again)
		}
	})
}

func checkLines(t *testing.T, out string, endless bool, lines, unfinished *regexp.Regexp) {
	t.Helper()
	whole := out[:strings.LastIndex(out, "\n")+1]
	for line := range strings.Lines(whole) {
		if !lines.MatchString(line) {
			t.Fatalf("it prints %q", line)
		}
	}
	if rest := out[len(whole):]; rest != "" && (!endless || !unfinished.MatchString(rest)) {
		t.Fatalf("it stops after %q", rest)
	}
}

func FuzzTwo(f *testing.F) {
	fuzz(f, classic.Two,
		regexp.MustCompile(`^(Enter the number of human players \[1-2\]:|# Game Board [12] #|(\|[1-9X]){3}\||`+
			`# Player [12]'s turn #|`+
			`# Computer's turn #|Choose the (game board|cell):|[1-9]|`+
			`(Input out of range|The chosen game board is dead|The chosen cell is occupied)`+
			`\. Please input again:|Congratulations! Player [12] wins!|Computer wins!)\n$`), regexp.MustCompile(`^$`))
}

func FuzzThree(f *testing.F) {
	fuzz(f, classic.Three,
		regexp.MustCompile(`^(Player [12]: )?(A( {6}B)?( {6}C)?|B( {6}C)?|C|`+
			`[0-8X] [0-8X] [0-8X](  [0-8X] [0-8X] [0-8X]){0,2}|`+
			`Invalid move, please input again|Player [12] wins game)\n$`), regexp.MustCompile(`^Player [12]: $`))
}

func FuzzOne(f *testing.F) {
	fuzz(f, classic.One,
		regexp.MustCompile(`^(Please select gamemode \(1:tic-tac-toe 2:notakto\)|How many people are playing\? \(1 or 2\)|`+
			`Which player will the computer be\? \(1 or 2\)|Starting\.\.\.|=====|(\|[1-90X]){3}\||`+
			`Player [12], please place your mark\.|`+
			`Computer placed the mark: [1-9]\.|Invalid input, please enter again\.|Player [12] wins!|Computer wins!|Draw game!|`+
			`Again\?\(1:Yes, 0:No\))\n$`), regexp.MustCompile(`^$`))
}
