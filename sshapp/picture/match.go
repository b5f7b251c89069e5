package picture

import (
	"cmp"
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

// drawMatch is how a match stands, as a spectator sees it.
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
