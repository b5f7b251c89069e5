package tui

import (
	"time"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// session is what all screens of one player share: who it is, how things look, what was chosen last, and the way to
// wish for something.
type session struct {
	player   match.Player
	host     string // the server in commands to copy
	theme    *draw.Theme
	keys     *keyMap
	commands *commands
	grace    time.Duration
	unseen   func() time.Duration // how long something has to be shown before a key can be an answer to it
	seeking  bool                 // a place in the queue has been asked for
	listing  bool                 // the next list of matches has been asked for

	choices choices

	width, height int
	queue         *client.Queue // a place in the queue, or the last one
	myMatches     []myMatch     // that are not shown
}

// choices are what the player has chosen last.
type choices struct {
	terms  match.Terms
	level  strategy.Level
	digits draw.Digits
	mouse  bool
	silent bool // whether the bell is off
}

// roomy reports whether the window has room for more than what is needed.
func (s *session) roomy() bool { return draw.Size{Width: s.width, Height: s.height}.Roomy() }

// either is the longer text where there is room for it, else the shorter one.
func (s *session) either(long, short string) string {
	if s.roomy() {
		return long
	}
	return short
}

// use changes how things look.
func (s *session) use(theme *draw.Theme) {
	s.theme, s.keys = theme, keysFor(theme)
}
