package picture

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/tui"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// The size of the terminal in which matches are shown.
const (
	columns = 80
	rows    = 24
)

// themeOf returns a theme for a terminal with all colors and characters.
func themeOf(kind draw.Kind) *draw.Theme {
	return draw.NewTheme(kind, colorprofile.TrueColor, draw.Unicode)
}

// drawMatch draws a match as spectators see it.
func drawMatch(s *match.State, theme *draw.Theme) *render.Grid {
	var grid render.Grid
	tui.RenderMatch(&grid, columns, rows, theme, s)
	return &grid
}

// Card returns an SVG of the end of a match, the last state of its history. host is the server in the command to watch
// the match, the title of the window, or [wording.NoHost].
func Card(history []match.State, host string) []byte {
	end := &history[len(history)-1]
	subject := func(side rules.Side) string { return end.SeatState(side).Player.Name }
	shown := Window{
		Label: "Notakto: " + wording.Headline(end, rules.Nobody, subject) + ". " + wording.Reason(end, subject),
		Title: title(end, host),
		Dark:  render.Cells(drawMatch(end, themeOf(draw.Dark))),
		Light: render.Cells(drawMatch(end, themeOf(draw.Light))),
	}
	return shown.SVG()
}

// title returns the command to watch a match, or the match's name if the host is not known.
func title(s *match.State, host string) string {
	return cmp.Or(wording.GameCommand(host, "watch "+string(s.ID)), "Notakto, match "+string(s.ID))
}

// castHeader is the first line of an asciicast, version 3: https://docs.asciinema.org/manual/asciicast/v3.
type castHeader struct {
	Version   int      `json:"version"`
	Term      castTerm `json:"term"`
	Timestamp int64    `json:"timestamp"`
	IdleLimit float64  `json:"idle_time_limit"`
	Title     string   `json:"title"`
}

type castTerm struct {
	Columns int `json:"cols"`
	Rows    int `json:"rows"`
}

const (
	// longestPause is the longest time for which asciinema shows one frame.
	longestPause = 2 * time.Second
	// castTerminal has no alternate screen, so the result stays on the screen after the cast.
	castTerminal = "linux"
)

// Cast returns an asciicast of a finished match, with a frame for the beginning, for each move and for the end. Frames
// show the view of spectators, in colors that are legible on any background. history holds the match after each event
// since both seats were taken. host is as in [Card].
func Cast(history []match.State, host string) []byte {
	shown := frames(history)
	first := &shown[0]
	c := &cast{screen: render.NewScreen(render.FromTerm(castTerminal), columns, rows)}
	c.lines = json.NewEncoder(&c.text)
	c.line(castHeader{
		Version: 3, Term: castTerm{columns, rows}, Timestamp: timeOf(first).Unix(), IdleLimit: longestPause.Seconds(),
		Title: title(first, host),
	})
	before, theme := timeOf(first), themeOf(draw.Auto)
	for i := range shown {
		at := timeOf(&shown[i])
		c.output(at.Sub(before), c.screen.Draw(nil, render.Frame{Grid: drawMatch(&shown[i], theme)}))
		before = at
	}
	c.output(longestPause, c.screen.Leave(nil))
	return c.text.Bytes()
}

type cast struct {
	text   bytes.Buffer
	lines  *json.Encoder
	screen *render.Screen
}

// line adds a line. Encoding numbers and strings into a buffer never fails.
func (c *cast) line(value any) { _ = c.lines.Encode(value) }

// output adds bytes that the terminal gets, a time after the event before.
func (c *cast) output(after time.Duration, sent []byte) {
	seconds := math.Round(max(0, after).Seconds()*1000) / 1000
	c.line([]any{seconds, "o", string(sent)})
}

// frames returns the states to show: the beginning, the state after each move, and the end.
func frames(history []match.State) []match.State {
	var shown []match.State
	for _, s := range history {
		if s.Started() && (len(shown) == 0 || s.Over() || len(s.Moves) > len(shown[len(shown)-1].Moves)) {
			shown = append(shown, s)
		}
		if s.Over() {
			break
		}
	}
	return shown
}

// timeOf returns when a match reached its state.
func timeOf(s *match.State) time.Time {
	if s.Over() {
		return s.EndedAt
	}
	return s.TurnSince
}
