package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// The dimensions of the picture, in its own units.
const (
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15 // of the text in a cell
	fontSize   = 15
	margin     = 14
	bar        = 34 // the height of the window's title
)

const (
	background = "#14161b"
	foreground = "#d4d7dc"
	frame      = "#262a33"
)

// picture is a screen, line by line, and the title of its window.
type picture struct {
	title string
	cells [][]uv.Cell
}

// style is how a cell is painted.
type style struct {
	foreground, background string
	bold, dim              bool
}

// styleOf returns the style of a cell. For a blank that is its background: its foreground depends on what was there
// before.
func styleOf(cell uv.Cell) style {
	s := cell.Style
	l := style{foreground: hex(s.Fg, foreground), background: hex(s.Bg, background), bold: s.Attrs&uv.AttrBold != 0, dim: s.Attrs&uv.AttrFaint != 0}
	if s.Attrs&uv.AttrReverse != 0 {
		l.foreground, l.background = l.background, l.foreground
	}
	if strings.TrimSpace(cell.Content) == "" {
		return style{foreground: foreground, background: l.background}
	}
	return l
}

func hex(c color.Color, fallback string) string {
	if c == nil {
		return fallback
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// svg draws the screen in a window. Lines are drawn as lines and every letter has its own position, so that no reader's
// font shifts them.
func (p picture) svg() []byte {
	var b bytes.Buffer
	width, height := columns*cellWidth+2*margin, rows*cellHeight+bar+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`, width, height, width, height)
	b.WriteString("\n<title>A match of Notakto in a terminal</title>\n")
	p.window(&b, width, height)
	fmt.Fprintf(&b, `<g transform="translate(%d %d)" font-family="%s" font-size="%d" fill="none">`,
		margin, bar+margin, "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace", fontSize)
	b.WriteString("\n")
	for y, line := range p.cells {
		for x := 0; x < len(line); {
			run := sameLook(line[x:])
			paint(&b, x, y, run)
			x += len(run)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// window draws the window around a terminal.
func (p picture) window(b *bytes.Buffer, width, height int) {
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="10" fill="%s"/>`+"\n", width, height, background)
	fmt.Fprintf(b, `<path d="M0 %dV10a10 10 0 0 1 10-10H%da10 10 0 0 1 10 10V%dz" fill="%s"/>`+"\n", bar, width-10, bar, frame)
	for i, light := range [3]string{"#e0645c", "#dfb04d", "#5fb35f"} {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`+"\n", 20+20*i, bar/2, light)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-family="system-ui,sans-serif" font-size="13" fill="%s">%s</text>`+"\n",
		width/2, bar/2+5, foreground, escaped(p.title))
}

// sameLook returns the first cells of a line that have the same style.
func sameLook(line []uv.Cell) []uv.Cell {
	n := 1
	for n < len(line) && styleOf(line[n]) == styleOf(line[0]) {
		n++
	}
	return line[:n]
}

// paint draws cells of one style, the first of them at column x of line y.
func paint(b *bytes.Buffer, x, y int, run []uv.Cell) {
	l := styleOf(run[0])
	if l.background != background {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x*cellWidth, y*cellHeight, len(run)*cellWidth, cellHeight, l.background)
	}
	var lines [weights]strings.Builder
	var w word
	for i, cell := range run {
		left := (x + i) * cellWidth
		strokes := strokesOf(cell.Content)
		if strokes == nil && strings.TrimSpace(cell.Content) != "" {
			w.add(left, cell.Content)
			continue
		}
		w.write(b, y, l)
		for _, s := range strokes {
			fmt.Fprintf(&lines[s.weight], "M%g %g%s", float64(left)+s.x, float64(y*cellHeight)+s.y, s.path)
		}
	}
	w.write(b, y, l)
	for weight := range weights {
		if lines[weight].Len() > 0 {
			fmt.Fprintf(b, `<path d="%s" stroke="%s" stroke-width="%g"%s/>`+"\n", lines[weight].String(), l.foreground, weight.width(l.bold), l.opacity())
		}
	}
}

// word is adjacent letters. Each has its own position; programs that support only the first position still place the
// word.
type word struct {
	places  []string
	letters strings.Builder
}

func (w *word) add(x int, letter string) {
	w.places = append(w.places, strconv.Itoa(x))
	w.letters.WriteString(letter)
}

// write draws the word and starts another.
func (w *word) write(b *bytes.Buffer, y int, l style) {
	if len(w.places) == 0 {
		return
	}
	fmt.Fprintf(b, `<text x="%s" y="%d" fill="%s"%s%s>%s</text>`+"\n",
		strings.Join(w.places, " "), y*cellHeight+baseline, l.foreground, l.weight(), l.opacity(), escaped(w.letters.String()))
	*w = word{}
}

func (l style) weight() string {
	if l.bold {
		return ` font-weight="bold"`
	}
	return ""
}

func (l style) opacity() string {
	if l.dim {
		return ` opacity="0.6"`
	}
	return ""
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder never fails
	return b.String()
}
