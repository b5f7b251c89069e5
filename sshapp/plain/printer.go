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

	"notakto/match/account"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// printer writes lines of sentences and, with echo, the line that is being typed. Text reaches the client with
// flush.
type printer struct {
	ctx        context.Context
	out        io.Writer
	echo       bool
	ascii      bool
	buffer     bytes.Buffer
	shownInput string // part of the typed line that the terminal shows
	lastLine   string
	cannotSave bool // the player was told that this server cannot record moves
}

// printLine prints the sentences that are not empty in one line.
func (p *printer) printLine(sentences ...string) {
	line := p.clean(join(sentences...))
	if line == "" {
		return
	}
	if p.shownInput != "" {
		p.buffer.WriteByte('\n')
		p.shownInput = ""
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

// report prints why a request failed. A nil err prints no line. After the end of the context err prints no line
// either, since the outcome of the request is not known then.
func (p *printer) report(err error) {
	if err != nil && p.ctx.Err() == nil {
		p.printLine(errorText(err))
	}
}

func errorText(err error) string {
	var refusal account.Error
	switch {
	case errors.As(err, &refusal):
		return wording.Capital(refusal.Error()) + "."
	case errors.Is(err, client.ErrNoDay), errors.Is(err, client.ErrNoSlips), errors.Is(err, client.ErrNoQuestion),
		errors.Is(err, client.ErrTooQuick), errors.Is(err, client.ErrNoLesson), errors.Is(err, client.ErrSeveralOffers),
		errors.Is(err, client.ErrRatedTerms):
		return wording.Capital(err.Error()) + "."
	case errors.Is(err, errTwoTables):
		return "Two of your matches are open here: type leave to step away from this match first."
	default:
		return wording.Explain(err).Full
	}
}

func (p *printer) tellCannotSave(cannotSave bool) {
	switch {
	case cannotSave == p.cannotSave:
	case cannotSave:
		p.printLine("The server cannot save moves now, and what you hear may be out of date. Wait, or connect again.")
	default:
		p.printLine("The server can save moves again.")
	}
	p.cannotSave = cannotSave
}

// flush sends the printed lines. With echo it then shows partial, the line that is being typed.
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

func (p *printer) show(partial string) {
	common := 0
	for _, r := range p.shownInput {
		if !strings.HasPrefix(partial[common:], string(r)) {
			break
		}
		common += utf8.RuneLen(r)
	}
	for range utf8.RuneCountInString(p.shownInput[common:]) {
		p.buffer.WriteString("\b \b")
	}
	p.buffer.WriteString(partial[common:])
	p.shownInput = partial
}

func (p *printer) entered(text string) {
	if p.echo {
		p.show(p.clean(text))
		p.buffer.WriteByte('\n')
		p.shownInput = ""
	}
}

// join joins the sentences that are not empty.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return s == "" }), " ")
}

// clean returns text without unprintable characters, in ASCII if the terminal needs that. Two signs of the game's
// own texts have an ASCII form.
func (p *printer) clean(text string) string {
	text = clean(text)
	if !p.ascii {
		return text
	}
	text = strings.ReplaceAll(text, "–", "-")
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// spoken returns text with a word in place of the arrow of a changed rating.
func spoken(text string) string { return strings.ReplaceAll(text, "→", "to") }

// clean removes control characters and other unprintable characters, because a terminal may obey them.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
