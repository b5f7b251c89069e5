package plain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"notakto/sshapp/wording"
)

// printer writes what the player reads: lines of sentences and, with echo, the line that is being typed.
type printer struct {
	ctx      context.Context // of the session
	out      io.Writer
	echo     bool
	ascii    bool         // a question mark stands for other characters
	buffer   bytes.Buffer // what is not sent yet
	shown    string       // the line that is being typed, as far as it is on the screen
	lastLine string
	cutOff   bool // the player was told that this server cannot record moves
}

// printLine prints the sentences that are not empty in one line.
func (p *printer) printLine(sentences ...string) {
	line := p.clean(join(sentences...))
	if line == "" {
		return
	}
	if p.shown != "" {
		p.buffer.WriteByte('\n')
		p.shown = ""
	}
	p.lastLine = line
	p.buffer.WriteString(line)
	p.buffer.WriteByte('\n')
}

func (p *printer) printLines(lines []string) {
	for _, line := range lines {
		p.printLine(line)
	}
}

// report says why something cannot be done, if err is not nil. It prints nothing once the session's context has ended,
// since the outcome is not known then.
func (p *printer) report(err error) {
	if err != nil && p.ctx.Err() == nil {
		p.printLine(errorText(err))
	}
}

// errorText says why something cannot be done, and what to do.
func errorText(err error) string {
	switch {
	case errors.Is(err, errNoMatchToWatch):
		return noOpenMatch
	case errors.Is(err, errTwoTables):
		return "Two of your matches are open here: type leave to step away from this one first."
	default:
		return wording.ForError(err).Full
	}
}

// tellCutOff prints a line when this server can no longer record moves, and when it can again.
func (p *printer) tellCutOff(is bool) {
	switch {
	case is == p.cutOff:
	case is:
		p.printLine("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
	default:
		p.printLine("This server can record again.")
	}
	p.cutOff = is
}

// flush sends what was printed, and shows the line that is being typed as it is now.
func (p *printer) flush(partial string) error {
	if p.echo {
		p.show(p.clean(partial))
	}
	if p.buffer.Len() == 0 {
		return nil
	}
	_, err := p.out.Write(p.buffer.Bytes())
	p.buffer.Reset()
	return err
}

// show changes the line that is being typed to partial. It removes characters with backspaces.
func (p *printer) show(partial string) {
	common := 0
	for _, r := range p.shown {
		if !strings.HasPrefix(partial[common:], string(r)) {
			break
		}
		common += utf8.RuneLen(r)
	}
	for range utf8.RuneCountInString(p.shown[common:]) {
		p.buffer.WriteString("\b \b")
	}
	p.buffer.WriteString(partial[common:])
	p.shown = partial
}

// entered ends the line that was typed.
func (p *printer) entered(text string) {
	if p.echo {
		p.show(p.clean(text))
		p.buffer.WriteByte('\n')
		p.shown = ""
	}
}

// join returns the sentences that are not empty in one text.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" }), " ")
}

// clean returns text as the player's terminal can show it.
func (p *printer) clean(text string) string {
	text = clean(text)
	if !p.ascii {
		return text
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "–", "-"), "→", "->") // the signs of the game's own texts
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// clean returns text without control characters and others that are not printable, because a terminal may obey them.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
