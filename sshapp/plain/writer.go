package plain

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineWriter writes what the player reads: lines of sentences and, if the client does not show what is typed, that.
type lineWriter struct {
	out      io.Writer
	echo     bool
	ascii    bool // nothing else is shown: a question mark stands for the rest
	buffer   bytes.Buffer
	shown    string // what stands of the line that is being typed
	lastLine string // the last line
}

// printLine writes sentences, those of them that are not empty, in one line.
func (v *lineWriter) printLine(sentences ...string) {
	line := v.clean(join(sentences...))
	if line == "" {
		return
	}
	if v.shown != "" {
		v.buffer.WriteByte('\n')
		v.shown = ""
	}
	v.lastLine = line
	v.buffer.WriteString(line)
	v.buffer.WriteByte('\n')
}

// flush sends what was said, and shows the line that is being typed as it is now.
func (v *lineWriter) flush(partial string) error {
	if v.echo {
		v.show(v.clean(partial))
	}
	if v.buffer.Len() == 0 {
		return nil
	}
	_, err := v.out.Write(v.buffer.Bytes())
	v.buffer.Reset()
	return err
}

// show makes the line on the terminal what it should be: longer, or shorter by backspaces.
func (v *lineWriter) show(partial string) {
	common := commonPrefix(v.shown, partial)
	for range utf8.RuneCountInString(v.shown[common:]) {
		v.buffer.WriteString("\b \b")
	}
	v.buffer.WriteString(partial[common:])
	v.shown = partial
}

// entered ends the line that was typed.
func (v *lineWriter) entered(text string) {
	if v.echo {
		v.show(v.clean(text))
		v.buffer.WriteByte('\n')
		v.shown = ""
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for _, r := range a {
		size := utf8.RuneLen(r)
		if !strings.HasPrefix(b[n:], a[n:n+size]) {
			break
		}
		n += size
	}
	return n
}

func join(sentences ...string) string {
	kept := make([]string, 0, len(sentences))
	for _, sentence := range sentences {
		if sentence != "" {
			kept = append(kept, sentence)
		}
	}
	return strings.Join(kept, " ")
}

// clean is text as the player's terminal can show it.
func (v *lineWriter) clean(text string) string {
	text = clean(text)
	if !v.ascii {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// clean is text without anything that a terminal would obey instead of showing it.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
