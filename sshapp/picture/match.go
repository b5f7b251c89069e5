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

// themeOf is a theme for a terminal with all colors and characters.
func themeOf(kind draw.Kind) *draw.Theme {
	return draw.NewTheme(kind, colorprofile.TrueColor, draw.Unicode)
}

// drawMatch draws a match as a spectator sees it.
func drawMatch(s *match.State, theme *draw.Theme) *render.Grid {
	var grid render.Grid
	tui.RenderMatch(&grid, columns, rows, theme, s)
	return &grid
}

// Card is an SVG of how a match ended, the last state of its history. The host is the server in the command to watch
// the match, which the window's title is, or [wording.NoHost].
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

// title is the command to watch a match where the host is known, else the match's name.
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
	// longestPause is for how long asciinema shows one frame at most, however long the players thought.
	longestPause = 2 * time.Second
	// castTerminal has no alternate screen: the result is still there when the cast has ended.
	castTerminal = "linux"
)

// Cast returns an asciicast of a finished match, with a frame for its beginning, for each move and for its end. Frames
// show what spectators see, in colors that suit every ground. history holds the match after each event from the time
// when both seats were taken. host is as in [Card].
func Cast(history []match.State, host string) []byte {
	shown := frames(history)
	first := &shown[0]
	c := newCast(castHeader{
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

// cast is an asciicast in the making.
type cast struct {
	text   bytes.Buffer
	lines  *json.Encoder
	screen *render.Screen
}

func newCast(header castHeader) *cast {
	c := &cast{screen: render.NewScreen(render.FromTerm(castTerminal), columns, rows)}
	c.lines = json.NewEncoder(&c.text)
	c.line(header)
	return c
}

// line adds a line. Neither numbers and strings nor a buffer make an encoder fail.
func (c *cast) line(value any) { _ = c.lines.Encode(value) }

// output adds what the terminal is sent some time after the event before.
func (c *cast) output(after time.Duration, sent []byte) {
	seconds := math.Round(max(0, after).Seconds()*1000) / 1000
	c.line([]any{seconds, "o", string(sent)})
}

// frames are the states to show: that at the beginning, those after each move, and that at the end.
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
