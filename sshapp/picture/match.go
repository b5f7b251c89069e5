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

// Size of the terminal that shows matches.
const (
	columns = 80
	rows    = 24
)

// newTheme returns a theme for a terminal with all colors and characters.
func newTheme(kind draw.Kind) *draw.Theme {
	return draw.NewTheme(kind, colorprofile.TrueColor, draw.Unicode)
}

func drawMatch(s *match.State, theme *draw.Theme) *render.Grid {
	var grid render.Grid
	tui.RenderMatch(&grid, columns, rows, theme, s)
	return &grid
}

// MatchSVG returns an SVG of the end of a match, the last state of history. The title has the command to watch the
// match at the server host, unless host is [wording.NoHost].
func MatchSVG(history []match.State, host string) []byte {
	end := &history[len(history)-1]
	subject := func(side rules.Side) string { return end.Seat(side).Player.Name }
	shown := Window{
		Label: "Notakto: " + wording.Headline(end, rules.NoSide, subject) + ". " + wording.Reason(end, subject),
		Title: title(end, host),
		Dark:  render.Cells(drawMatch(end, newTheme(draw.Dark))),
		Light: render.Cells(drawMatch(end, newTheme(draw.Light))),
	}
	return shown.SVG()
}

func title(s *match.State, host string) string {
	return cmp.Or(wording.GameCommand(host, "watch "+string(s.ID)), "Notakto, match "+string(s.ID))
}

// castHeader is the first line of an asciicast of version 3 (https://docs.asciinema.org/manual/asciicast/v3).
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
	// longestPause is the longest time that asciinema shows one frame.
	longestPause = 2 * time.Second
	// castTerminal has no alternate screen, in order to leave the result on the screen after the cast.
	castTerminal = "linux"
)

// MatchCast returns an asciicast of a finished match, with a frame for the beginning, for each move and for the end.
// Frames show the view of spectators, in colors that are legible on any background. The argument history holds the
// match after each event since both players were seated. Argument host is as in [MatchSVG].
func MatchCast(history []match.State, host string) []byte {
	shown := statesToShow(history)
	first := &shown[0]
	c := &cast{screen: render.NewScreen(render.FromTerm(castTerminal), columns, rows)}
	c.lines = json.NewEncoder(&c.text)
	c.addLine(castHeader{
		Version: 3, Term: castTerm{columns, rows}, Timestamp: stateTime(first).Unix(), IdleLimit: longestPause.Seconds(),
		Title: title(first, host),
	})
	before, theme := stateTime(first), newTheme(draw.Auto)
	for i := range shown {
		at := stateTime(&shown[i])
		c.addOutput(at.Sub(before), c.screen.Draw(nil, render.Frame{Grid: drawMatch(&shown[i], theme)}))
		before = at
	}
	c.addOutput(longestPause, c.screen.Leave(nil))
	return c.text.Bytes()
}

type cast struct {
	text   bytes.Buffer
	lines  *json.Encoder
	screen *render.Screen
}

// addLine ignores the error, because encoding numbers and strings into a buffer never fails.
func (c *cast) addLine(value any) { _ = c.lines.Encode(value) }

// addOutput adds bytes that the terminal gets, a time after the event before.
func (c *cast) addOutput(after time.Duration, sent []byte) {
	seconds := math.Round(max(0, after).Seconds()*1000) / 1000
	c.addLine([]any{seconds, "o", string(sent)})
}

// statesToShow returns the states at the beginning, after each move or takeback, and at the end.
func statesToShow(history []match.State) []match.State {
	var shown []match.State
	for _, s := range history {
		if s.HasStarted() && (len(shown) == 0 || s.IsOver() || len(s.Moves) != len(shown[len(shown)-1].Moves)) {
			shown = append(shown, s)
		}
		if s.IsOver() {
			break
		}
	}
	return shown
}

func stateTime(s *match.State) time.Time {
	if s.IsOver() {
		return s.EndedAt
	}
	return s.TurnSince
}
