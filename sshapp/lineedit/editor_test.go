package lineedit

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"notakto/internal/testkit"
)

func TestLongLine(t *testing.T) {
	var lines Editor
	lines.Feed([]byte(strings.Repeat("x", MaxLine)))
	lines.Feed([]byte("\n" + strings.Repeat("y", 10*MaxLine)))
	testkit.Equal(t, len(lines.line), MaxLine)
	lines.Feed([]byte("\nquit\n"))
	for i, long := range []bool{false, true, false} {
		if line, ok := lines.Next(); !ok || line.Long != long {
			t.Errorf("line %d is long: %v", i, line.Long)
		}
	}
}

func TestLinesAreEditedAsTheyAreTyped(t *testing.T) {
	for _, test := range []struct{ typed, read, shown string }{
		{"5\r", "5\n", "5\n"},
		{"5\r\n6\n", "5\n6\n", "5\n6\n"},
		{"ab\x7fc\r", "ac\n", "ab\b \bc\n"},
		{"\x08é\x7f\r", "\n", "é\b \b\n"},
		{"a bc \x17d\r", "a d\n", "a bc \b \b\b \b\b \bd\n"},
		{"abc\x15d\r", "d\n", "abc\b \b\b \b\b \bd\n"},
		{"\x1b[A\x1bOP\x1b[1;5Cx\t\x00\r", "x \n", "x \n"},
		{"1\r2\x03 3\r", "1\n", "1\n2\n"}, // an unfinished line is dropped
		{"1\r\x04 3\r", "1\n", "1\n\n"},
		{"no end", "no end", "no end"},
		{"a\nb\r\n\n\r", "a\nb\n\n\n", "a\nb\n\n\n"},
		{"\x7f\x08a\xff\x7fb\n", "ab\n", "a\xff\b \bb\n"},
		{"\x1b[\nquit\n", "\nquit\n", "\nquit\n"},
		{"a\x07\x9b\x1bxb\n", "a\x9bb\n", "a\x9bb\n"}, // the plain game removes the rest
		{"a\x04b\n", "ab\n", "ab\n"},
		{strings.Repeat("x", 5000) + "\r", strings.Repeat("x", MaxLine) + "\n", strings.Repeat("x", MaxLine) + "\n"},
	} {
		for _, keys := range []io.Reader{strings.NewReader(test.typed),
			iotest.OneByteReader(strings.NewReader(test.typed))} {
			var shown bytes.Buffer
			read, err := io.ReadAll(NewReader(keys, &shown))
			if err != nil || string(read) != test.read || shown.String() != test.shown {
				t.Errorf("%.40q reads as %.40q and shows %.40q (%v)", test.typed, read, shown.String(), err)
			}
		}
	}
}
