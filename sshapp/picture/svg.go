package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"notakto/sshapp/render"
)

// Dimensions of the picture, in its own units.
const (
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15 // of the text in a cell
	fontSize   = 15
	margin     = 14
	bar        = 34 // height of the window's title
)

// paint is a color for a dark background and one for a light background.
type paint struct{ dark, light string }

// foreground and background are the colors of a cell without colors of its own.
func foreground() paint { return paint{"#d4d7dc", "#1f2328"} }
func background() paint { return paint{"#14161b", "#ffffff"} }

// frame is the color of the window around the screen.
func frame() paint { return paint{"#262a33", "#e4e7eb"} }

// Window is a terminal's window with its screen. The rows of Dark and Light have one length. Light has colors for a
// light background, or is nil if the picture is always dark.
type Window struct {
	Label string // describes the picture to readers that cannot see it
	Title string
	Dark  [][]render.Cell
	Light [][]render.Cell
}

type look struct {
	foreground, background paint
	bold, dim              bool
}

type svg struct {
	Window
	body   bytes.Buffer
	paints map[paint]bool // the colors in use
}

// SVG draws the window. With both sets of colors, the reader's preference chooses.
func (w Window) SVG() []byte {
	isAlwaysDark := w.Light == nil
	if isAlwaysDark {
		w.Light = w.Dark
	}
	s := &svg{Window: w, paints: make(map[paint]bool)}
	s.begin()
	for y := range w.Dark {
		s.drawLine(y)
	}
	return s.document(s.css(isAlwaysDark))
}

func (s *svg) document(styles string) []byte {
	var out bytes.Buffer
	width, height := s.size()
	const start = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d"`
	fmt.Fprintf(&out, start+` role="img">`+"\n", width, height)
	fmt.Fprintf(&out, "<title>%s</title>\n<style>\n%s</style>\n", escaped(s.Label), styles)
	out.Write(s.body.Bytes())
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

func (s *svg) size() (width, height int) {
	return len(s.Dark[0])*cellWidth + 2*margin, len(s.Dark)*cellHeight + bar + 2*margin
}

// begin draws the window and opens the group of its content. Method document closes the group.
func (s *svg) begin() {
	s.drawWindow(s.size())
	fmt.Fprintf(&s.body, `<g transform="translate(%d %d)" font-family="%s" font-size="%d">`+"\n",
		margin, bar+margin, "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace", fontSize)
}

func (s *svg) drawLine(y int) {
	for x := 0; x < len(s.Dark[y]); {
		end := x + 1
		for end < len(s.Dark[y]) && (s.Dark[y][end].Glyph == "" || s.look(end, y) == s.look(x, y)) {
			end++
		}
		s.drawRun(x, end, y)
		x = end
	}
}

// class returns the CSS class of a color, and records that the picture uses the color.
func (s *svg) class(p paint) string {
	s.paints[p] = true
	return p.class()
}

func (p paint) class() string {
	if p.dark == p.light {
		return "c" + strings.TrimPrefix(p.dark, "#")
	}
	return "c" + strings.TrimPrefix(p.dark, "#") + strings.TrimPrefix(p.light, "#")
}

func (s *svg) css(isAlwaysDark bool) string {
	dark := s.rules(func(p paint) string { return p.dark })
	if isAlwaysDark {
		return dark
	}
	return s.rules(func(p paint) string { return p.light }) + "@media (prefers-color-scheme:dark){\n" + dark + "}\n"
}

func (s *svg) rules(of func(paint) string) string {
	var b strings.Builder
	byClass := func(a, b paint) int { return strings.Compare(a.class(), b.class()) }
	for _, p := range slices.SortedFunc(maps.Keys(s.paints), byClass) {
		fmt.Fprintf(&b, ".%[1]s{fill:%[2]s}path.%[1]s{fill:none;stroke:%[2]s}\n", p.class(), of(p))
	}
	return b.String()
}

func (s *svg) drawWindow(width, height int) {
	b := &s.body
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="10" class="%s"/>`+"\n", width, height, s.class(background()))
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="10" class="%s"/>`+"\n", width, bar, s.class(frame()))
	fmt.Fprintf(b, `<rect y="%d" width="%d" height="%d" class="%s"/>`+"\n", bar/2, width, bar-bar/2, s.class(frame()))
	for i, light := range [3]string{"#e0645c", "#dfb04d", "#5fb35f"} {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`+"\n", 20+20*i, bar/2, light)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-family="system-ui,sans-serif" font-size="13" `,
		width/2, bar/2+5)
	fmt.Fprintf(b, `class="%s">%s</text>`+"\n", s.class(foreground()), escaped(s.Title))
}

// look returns the look of a cell. A blank has the default foreground, because its own may be left from an earlier
// glyph.
func (s *svg) look(x, y int) look {
	dark, light := s.Dark[y][x], s.Light[y][x].Style
	l := look{
		foreground: paint{hex(dark.Style.Foreground, foreground().dark), hex(light.Foreground, foreground().light)},
		background: paint{hex(dark.Style.Background, background().dark), hex(light.Background, background().light)},
		bold:       dark.Style.Bold, dim: dark.Style.Faint,
	}
	if dark.Style.Reverse {
		l.foreground, l.background = l.background, l.foreground
	}
	if dark.Glyph == " " {
		return look{foreground: foreground(), background: l.background}
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

// drawRun draws the cells of one look from column x to before end.
func (s *svg) drawRun(x, end, y int) {
	l := s.look(x, y)
	if l.background != background() {
		fmt.Fprintf(&s.body, `<rect x="%d" y="%d" width="%d" height="%d" class="%s"/>`+"\n",
			x*cellWidth, y*cellHeight, (end-x)*cellWidth, cellHeight, s.class(l.background))
	}
	var lines [weights]strings.Builder
	var w word
	for ; x < end; x++ {
		glyph, left := s.Dark[y][x].Glyph, x*cellWidth
		strokes := strokesOf(glyph)
		if strokes == nil && glyph != " " {
			s.addLetter(&w, left, y, glyph, l)
			continue
		}
		s.drawWord(&w, y, l)
		for _, line := range strokes {
			fmt.Fprintf(&lines[line.weight], "M%g %g%s", float64(left)+line.x, float64(y*cellHeight)+line.y, line.path)
		}
	}
	s.drawWord(&w, y, l)
	for weight := range weights {
		if lines[weight].Len() > 0 {
			fmt.Fprintf(&s.body, `<path d="%s" stroke-width="%g" class="%s"%s/>`+"\n",
				lines[weight].String(), weight.width(l.bold), s.class(l.foreground), l.opacity())
		}
	}
}

// word holds adjacent letters, each with its position. Programs that support only the first position still place the
// word.
type word struct {
	places  []string
	letters strings.Builder
}

// addLetter adds a letter to a word. A letter of several characters is drawn alone, because each character would
// take a position of the word.
func (s *svg) addLetter(w *word, x, y int, letter string, l look) {
	if letter == "" { // the second column of a wide letter
		return
	}
	isCluster := utf8.RuneCountInString(letter) > 1
	if isCluster {
		s.drawWord(w, y, l)
	}
	w.places = append(w.places, strconv.Itoa(x))
	w.letters.WriteString(letter)
	if isCluster {
		s.drawWord(w, y, l)
	}
}

func (s *svg) drawWord(w *word, y int, l look) {
	if len(w.places) == 0 {
		return
	}
	fmt.Fprintf(&s.body, `<text x="%s" y="%d" class="%s"%s%s>%s</text>`+"\n", strings.Join(w.places, " "),
		y*cellHeight+baseline, s.class(l.foreground), l.weight(), l.opacity(), escaped(w.letters.String()))
	*w = word{}
}

func (l look) weight() string {
	if l.bold {
		return ` font-weight="bold"`
	}
	return ""
}

func (l look) opacity() string {
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

// stroke is a line in a cell. The course is an SVG path that starts at x and y, from the cell's top left.
type stroke struct {
	x, y   float64
	path   string
	weight weight
}

type weight int

const (
	thin weight = iota
	heavy
	half // half a cell high
	full
	weights
)

func (w weight) width(bold bool) float64 {
	switch {
	case w == half:
		return 10
	case w == full:
		return 20
	case w == heavy && bold:
		return 3
	case w == heavy:
		return 2.4
	case bold:
		return 1.8
	default:
		return 1.2
	}
}

// strokesOf returns the lines of a character, or nil for a letter. Lines reach the edges of the cell to meet those
// of the next one.
func strokesOf(character string) []stroke {
	switch character {
	case "─":
		return []stroke{{0, 10, "h9", thin}}
	case "│":
		return []stroke{{4.5, 0, "v20", thin}}
	case "┼":
		return []stroke{{0, 10, "h9", thin}, {4.5, 0, "v20", thin}}
	case "▀":
		return []stroke{{0, 5, "h9", half}}
	case "▄":
		return []stroke{{0, 15, "h9", half}}
	case "█":
		return []stroke{{0, 10, "h9", full}}
	default:
		return cornerOf(character)
	}
}

func cornerOf(character string) []stroke {
	switch character {
	case "┏":
		return []stroke{{4.5, 20, "v-10h4.5", heavy}}
	case "┓":
		return []stroke{{4.5, 20, "v-10h-4.5", heavy}}
	case "┗":
		return []stroke{{4.5, 0, "v10h4.5", heavy}}
	case "┛":
		return []stroke{{4.5, 0, "v10h-4.5", heavy}}
	case "╭":
		return []stroke{{4.5, 20, "v-5q0-5 4.5-5", thin}}
	case "╮":
		return []stroke{{4.5, 20, "v-5q0-5-4.5-5", thin}}
	case "╰":
		return []stroke{{4.5, 0, "v5q0 5 4.5 5", thin}}
	case "╯":
		return []stroke{{4.5, 0, "v5q0 5-4.5 5", thin}}
	default:
		return nil
	}
}

// Film is a window with a changing screen, shown as an endless animation.
type Film struct {
	Label  string // describes the picture to readers that cannot see it
	Title  string
	Frames []Frame
}

// Frame is one screen of a film. The screens of a film have one size.
type Frame struct {
	Cells    [][]render.Cell
	Duration time.Duration
}

// SVG draws the film on a dark background, with styles for the motion. A line of the screen is written once for all
// frames in a row that do not change it. The last frame is shown to a reader with reduced motion, and by a program
// that cannot animate.
func (f Film) SVG() []byte {
	last := f.Frames[len(f.Frames)-1].Cells
	s := &svg{Window: Window{Label: f.Label, Title: f.Title, Dark: last, Light: last}, paints: make(map[paint]bool)}
	s.begin()
	spans := make(map[string]string)
	for y := range last {
		for from := 0; from < len(f.Frames); {
			to := from + 1
			for to < len(f.Frames) && slices.Equal(f.Frames[to].Cells[y], f.Frames[from].Cells[y]) {
				to++
			}
			s.Dark, s.Light = f.Frames[from].Cells, f.Frames[from].Cells
			f.drawSpan(s, y, from, to, spans)
			from = to
		}
	}
	var styles strings.Builder
	styles.WriteString(s.css(true))
	for from := range f.Frames {
		for to := range len(f.Frames) + 1 {
			styles.WriteString(spans[spanName(from, to)])
		}
	}
	styles.WriteString("@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n")
	return s.document(styles.String())
}

// drawSpan draws a line of the frames from to before to, and adds the style that shows the line during that time.
func (f Film) drawSpan(s *svg, y, from, to int, spans map[string]string) {
	start := s.body.Len()
	name, hidden := spanName(from, to), ` visibility="hidden"`
	if to == len(f.Frames) {
		hidden = ""
	}
	fmt.Fprintf(&s.body, "<g class=\"%s\"%s>\n", name, hidden)
	empty := s.body.Len()
	if s.drawLine(y); s.body.Len() == empty {
		s.body.Truncate(start)
		return
	}
	s.body.WriteString("</g>\n")
	spans[name] = f.spanStyle(name, from, to)
}

func spanName(from, to int) string { return fmt.Sprintf("f%d-%d", from, to) }

func (f Film) spanStyle(name string, from, to int) string {
	if from == 0 && to == len(f.Frames) {
		return ""
	}
	all := f.startTime(len(f.Frames)).Seconds()
	text := fmt.Sprintf(".%[1]s{animation:%[1]s %gs step-end infinite}@keyframes %[1]s{", name, all)
	if from > 0 {
		text += "0%{visibility:hidden}"
	}
	text += fmt.Sprintf("%.4g%%{visibility:visible}", 100*f.startTime(from).Seconds()/all)
	if to < len(f.Frames) {
		text += fmt.Sprintf("%.4g%%{visibility:hidden}", 100*f.startTime(to).Seconds()/all)
	}
	return text + "}\n"
}

// startTime returns the total time of the first frames.
func (f Film) startTime(frames int) time.Duration {
	var all time.Duration
	for _, frame := range f.Frames[:frames] {
		all += frame.Duration
	}
	return all
}
