package plain

import (
	"bytes"
	"strings"
	"testing"
)

func TestTyping(t *testing.T) {
	for _, c := range []struct {
		typed string
		lines []string
		rest  string
	}{
		{"a\nb\r\nc\rd", []string{"a", "b", "c"}, "d"},
		{"\n\r\n\n\r", []string{"", "", "", ""}, ""},
		{"ab\x7fc\n", []string{"ac"}, ""},
		{"\x7f\x08a\n", []string{"a"}, ""},
		{"aé\x7fb\n", []string{"ab"}, ""},
		{"a\xff\x7fb\n", []string{"ab"}, ""},
		{"a\tb\n", []string{"a b"}, ""},
		{"\x1b[A\x1b[1;5Ca\x1bOPb\x1bxc\n", []string{"abc"}, ""},
		{"\x1b[\nquit\n", []string{"", "quit"}, ""},
		{"a\x00\x07\x9bb\n", []string{"a\x9bb"}, ""}, // clean takes the rest out
		{"a\x04b\n", []string{"ab"}, ""},
	} {
		var lines lineReader
		for _, b := range []byte(c.typed) {
			lines.feed([]byte{b})
		}
		for _, want := range c.lines {
			if line, ok := lines.next(); !ok || line.text != want || line.long || line.end {
				t.Errorf("%q gives %+v %v, want %q", c.typed, line, ok, want)
			}
		}
		if line, more := lines.next(); more || lines.partial() != c.rest {
			t.Errorf("%q leaves %+v and %q", c.typed, line, lines.partial())
		}
	}
}

// A line is kept up to a bound, and what follows it is a line of its own.
func TestLongLine(t *testing.T) {
	var lines lineReader
	lines.feed([]byte(strings.Repeat("x", maxLine)))
	lines.feed([]byte("\n" + strings.Repeat("y", 10*maxLine)))
	if len(lines.line) != maxLine {
		t.Errorf("%d bytes are kept", len(lines.line))
	}
	lines.feed([]byte("\nquit\n"))
	for i, long := range []bool{false, true, false} {
		if line, ok := lines.next(); !ok || line.long != long {
			t.Errorf("line %d is long: %v", i, line.long)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 井":              "plain é 井",
		"\x1b[31mred\x07\n":      "[31mred",
		"a\u202eb\u200bc\u0085d": "abcd",
		"bad\xff\x9b":            "bad",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// In a locale without UTF-8 a name in other letters was sent as it was, and the terminal showed something else for each of its bytes.
func TestOnlyASCIIWhereTheLocaleHasNoMore(t *testing.T) {
	var received bytes.Buffer
	v := lineWriter{out: &received, ascii: true}
	v.printLine("Áb and 井 play.")
	if err := v.flush(""); err != nil || received.String() != "?b and ? play.\n" {
		t.Errorf("%q, %v", received.String(), err)
	}
}
