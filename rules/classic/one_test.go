package classic_test

import (
	"strings"
	"testing"

	"notakto/rules/classic"
)

const invalid = "Invalid input, please enter again.\n"

func TestOneTakesTheLeadingNumber(t *testing.T) {
	tests := map[string]string{ // the mode that a line chooses, "" for an invalid line
		"1": "1", "2": "2", " 1 ": "1", "1\r": "1", "1ASD": "1", "1@_asd": "1", "1 2": "1", "2,5": "2", "2-1": "2",
		"1_0": "1", "1０": "1",
		"2.000": "2", "1.": "1", "1.0abc": "1", "1.0.9": "1", "01": "1", "+1": "1", "+2.0x": "2", "1\x00": "1",
		"1e0": "1", "20e-1": "2", "0.2E1": "2", "1e": "1", "1ex": "1", "1e+": "1",
		"": "", " ": "", "asd": "", "@#!$": "", "A1": "", "+": "", "-": "", ".": "", ".e1": "", "+-1": "", "- 1": "", "１": "",
		"0": "", "3": "", "-1": "", "11": "", "1.9": "", "1.5x": "", ".5": "", "1.0001": "", "1e1": "",
		"1e999": "", "5e-1": "",
		"99999999999999999999": "", "0x1": "", "inf": "", "nan": "",
	}
	const question = "Please select gamemode (1:tic-tac-toe 2:notakto)\n"
	for line, mode := range tests {
		out, _ := run(classic.One, line+"\n2\n1\n", classic.Options{})
		switch {
		case mode == "" && out != question+invalid+
			"How many people are playing? (1 or 2)\nWhich player will the computer be? (1 or 2)\n":
			t.Errorf("%q is not refused:\n%s", line, out)
		case mode == "1" && !strings.HasSuffix(out, "|0|2|3|\n|4|5|6|\n|7|8|9|\n=====\nPlayer 2, please place your mark.\n"):
			t.Errorf("%q does not choose tic-tac-toe:\n%s", line, out)
		case mode == "2" && !strings.HasSuffix(out, "|X|2|3|\n|4|5|6|\n|7|8|9|\n=====\nPlayer 2, please place your mark.\n"):
			t.Errorf("%q does not choose Notakto:\n%s", line, out)
		}
	}
}

func TestOneSaysWhoWon(t *testing.T) {
	tests := []struct{ typed, said string }{
		{"1\n2\n1\n4\n2\n5\n3\n", "Player 1 wins!"},
		{"1\n2\n1\n4\n2\n5\n9\n6\n", "Player 2 wins!"},
		{"1\n2\n1\n2\n3\n4\n5\n6\n8\n7\n9\n", "Player 1 wins!"}, // the line is completed by the last free cell
		{"1\n2\n1\n5\n9\n3\n7\n4\n6\n8\n2\n", "Draw game!"},
		{"2\n2\n1\n2\n3\n", "Player 2 wins!"},
		{"2\n2\n1\n2\n4\n3\n", "Player 1 wins!"},
		{"1\n1\n1\n1\n2\n", "Computer wins!"},
		{"1\n1\n2\n1\n9\n7\n4\n", "Player 1 wins!"}, // two corners beat the rule's answer
		{"2\n1\n1\n1\n3\n2\n", "Computer wins!"},
		{"2\n1\n2\n1\n9\n", "Computer wins!"},
		{"0\n2\n3\n1\n0\n2\n10\n1\n9\n", "Computer wins!"}, // asks each question again
	}
	for _, test := range tests {
		out, err := run(classic.One, test.typed+"0\n", seeded(classic.Strong, 1))
		if end := "=====\n" + test.said + "\nAgain?(1:Yes, 0:No)\n"; err != nil || !strings.HasSuffix(out, end) {
			t.Errorf("after %q it ends with %v:\n%s", test.typed, err, out)
		}
	}
}

func TestOneAgain(t *testing.T) {
	const game = "2\n2\n1\n2\n3\n"
	once, err := run(classic.One, game, classic.Options{})
	if err != nil {
		t.Errorf("the input ends after a game: %v", err)
	}
	tests := []struct{ typed, want string }{
		{"0\n", once},
		{"0", once},
		{"-0.0no\n" + game, once},
		{"2\nyes\n\n0\n" + game, once + invalid + invalid + invalid},
		{"2\n", once + invalid},
		{"1\n" + game + "0\n", once + once},
		{"1.0\n" + game, once + once},
	}
	for _, test := range tests {
		out, err := run(classic.One, game+test.typed, classic.Options{})
		if err != nil || out != test.want {
			t.Errorf("after a game, %q: %v\n%s", test.typed, err, out)
		}
	}
	if _, err := run(classic.One, game+"1\n", classic.Options{}); err == nil {
		t.Error("the input ends at the first question of another game, and that is no fault")
	}
}
