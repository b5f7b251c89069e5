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
		var typing typing
		for _, b := range []byte(c.typed) {
			typing.feed([]byte{b})
		}
		for _, want := range c.lines {
			if line, ok := typing.next(); !ok || line.text != want || line.long || line.end {
				t.Errorf("%q gives %+v %v, want %q", c.typed, line, ok, want)
			}
		}
		if line, more := typing.next(); more || typing.partial() != c.rest {
			t.Errorf("%q leaves %+v and %q", c.typed, line, typing.partial())
		}
	}
}

// A line is kept up to a bound, and what follows it is a line of its own.
func TestLongLine(t *testing.T) {
	var typing typing
	typing.feed([]byte(strings.Repeat("x", maxLine)))
	typing.feed([]byte("\n" + strings.Repeat("y", 10*maxLine)))
	if len(typing.line) != maxLine {
		t.Errorf("%d bytes are kept", len(typing.line))
	}
	typing.feed([]byte("\nquit\n"))
	for i, long := range []bool{false, true, false} {
		if line, ok := typing.next(); !ok || line.long != long {
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
	var heard bytes.Buffer
	v := voice{out: &heard, ascii: true}
	v.say("Áb and 井 play.")
	if err := v.flush(""); err != nil || heard.String() != "?b and ? play.\n" {
		t.Errorf("%q, %v", heard.String(), err)
	}
}
