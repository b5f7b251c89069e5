package picture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"notakto/sshapp/render"
)

// Film is a window whose screen changes: an animation that begins again when it is over.
type Film struct {
	Label  string // what the picture shows, for those who do not see it
	Title  string // the window's own
	Frames []Frame
}

// Frame is a screen that is shown for a while. The screens of a film have one size.
type Frame struct {
	Cells [][]render.Cell
	Lasts time.Duration
}

// SVG draws the film on a dark ground, by styles alone: each line of the screen stands there once for as long as it
// does not change. Who wants no motion, or has a program that shows none, sees the last frame.
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

// drawSpan draws a line as it is from one frame until before another, and adds the style by which it is seen then.
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
	spans[name] = f.span(name, from, to)
}

func spanName(from, to int) string { return fmt.Sprintf("f%d-%d", from, to) }

// span is the style of what is seen from one frame until before another.
func (f Film) span(name string, from, to int) string {
	if from == 0 && to == len(f.Frames) {
		return ""
	}
	all := f.until(len(f.Frames)).Seconds()
	text := fmt.Sprintf(".%[1]s{animation:%[1]s %gs step-end infinite}@keyframes %[1]s{", name, all)
	if from > 0 {
		text += "0%{visibility:hidden}"
	}
	text += fmt.Sprintf("%.4g%%{visibility:visible}", 100*f.until(from).Seconds()/all)
	if to < len(f.Frames) {
		text += fmt.Sprintf("%.4g%%{visibility:hidden}", 100*f.until(to).Seconds()/all)
	}
	return text + "}\n"
}

// until is how long the first frames last together.
func (f Film) until(frames int) time.Duration {
	var all time.Duration
	for _, frame := range f.Frames[:frames] {
		all += frame.Lasts
	}
	return all
}
