package render

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// The pieces of content. Clusters that begin with an ASCII letter are missing, because the emulator shows the letter
// before it reads the rest.
var (
	styles = []string{
		"\x1b[m", "\x1b[0m", "\x1b[;1m", "\x1b[;2m", "\x1b[;4m", "\x1b[;7m", "\x1b[;31m", "\x1b[;1;32m", "\x1b[;38;5;203m",
		"\x1b[;38;2;1;20;255m", "\x1b[;42m", "\x1b[;48;5;17m", "\x1b[;48;2;9;9;9m", "\x1b[;91m", "\x1b[;1;2;101m",
		"\x1b[;7;33m", "\x1b[;4;1;33;44m",
	}
	narrow    = []string{"a", "b", "X", ".", " ", " ", " ", "    ", "--------------", "                ", "hello, world"}
	wider     = []string{"─", "│", "──────────", "╳", "é", "漢", "字字字", "한", "に", "●", "…", "日本語 text"}
	ambiguous = []string{"я́", "👩‍👩‍👧", "❤️", "🇩🇪", "🎉", "☠️", "👍🏽", "สำ", "🏴‍☠️", "各̂", "\U0001fae8", "\ue0b0"}
)

// page is random content in pieces, for editing.
type page struct {
	rng    *rand.Rand
	pieces []string
	lines  [][]string
}

func newPage(rng *rand.Rand, caps Caps) *page {
	pieces := slices.Concat(narrow, narrow, styles)
	if caps.UTF8 {
		pieces = slices.Concat(pieces, wider)
	}
	if caps.UTF8 && caps.NoWrap {
		pieces = slices.Concat(pieces, ambiguous)
	}
	p := &page{rng: rng, pieces: pieces}
	p.renew()
	return p
}

func (p *page) piece() string { return p.pieces[p.rng.IntN(len(p.pieces))] }

func (p *page) renew() {
	p.lines = make([][]string, 1+p.rng.IntN(14))
	for i := range p.lines {
		for range p.rng.IntN(20) {
			p.lines[i] = append(p.lines[i], p.piece())
		}
	}
}

// edit changes a few pieces, and sometimes a line, the number of lines, or everything.
func (p *page) edit() {
	switch p.rng.IntN(12) {
	case 0:
		p.renew()
	case 1:
		p.lines = slices.Insert(p.lines, p.rng.IntN(len(p.lines)), []string{p.piece()})
	case 2:
		if at := p.rng.IntN(len(p.lines)); len(p.lines) > 1 {
			p.lines = slices.Delete(p.lines, at, at+1)
		}
	default:
		for range 1 + p.rng.IntN(3) {
			p.editLine(p.rng.IntN(len(p.lines)))
		}
	}
}

func (p *page) editLine(at int) {
	line := slices.Clone(p.lines[at])
	where := p.rng.IntN(len(line) + 1)
	switch {
	case where == len(line) || p.rng.IntN(4) == 0:
		line = slices.Insert(line, where, p.piece())
	case p.rng.IntN(4) == 0:
		line = slices.Delete(line, where, where+1)
	default:
		line[where] = p.piece()
	}
	p.lines[at] = line
}

func (p *page) content() string {
	lines := make([]string, len(p.lines))
	for i, pieces := range p.lines {
		lines[i] = strings.Join(pieces, "")
	}
	return strings.Join(lines, "\n")
}
