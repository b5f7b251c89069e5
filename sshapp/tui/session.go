package tui

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// session is what all screens of one player share: who it is, how things look, what was chosen last, and the way to
// ask for something.
type session struct {
	player    match.Player
	host      string // the server in commands to copy
	theme     *draw.Theme
	keys      *keyMap
	commands  *commands
	roundTrip func() time.Duration // as of [Config]
	ended     int                  // how many matches of the player's have ended since the session began
	seeking   []match.Terms        // for which a place in the queue has been asked for, or nil

	stopListing func() // ends the wait for what is shown to change at the server

	choices choices
	moment  *moment // that is shown just now; never nil

	width, height int
	queue         *client.Queue     // a place in the queue, or the last one
	elsewhere     []client.OwnMatch // but for the one that is shown, the most urgent first
}

// choices are what the player has chosen last.
type choices struct {
	terms   match.Terms
	accepts []match.Terms  // of an opponent, the preferred ones first
	level   strategy.Level // zero if none was
	digits  draw.Digits
	mouse   bool
	silent  bool // whether the bell is off
	deadly  deadlyCells
	still   bool // whether nothing is to move
	theme   draw.Kind

	remembered account.Preferences       // of the choices, from before
	remember   func(account.Preferences) // nil if nothing is remembered
}

// The values of preferences that are not the default.
const (
	prefersOn    = "on"
	prefersOff   = "off"
	prefersPhone = "phone"
)

// prefer makes the choices that a player is remembered by.
func (s *session) prefer(p account.Preferences) {
	c := &s.choices
	c.remembered = p
	if c.theme = draw.KindOf(p.Theme); c.theme != draw.Auto {
		s.use(s.theme.WithKind(c.theme))
	}
	if p.Digits == prefersPhone {
		c.digits = draw.Phone
	}
	c.mouse, c.silent, c.still = p.Mouse == prefersOn, p.Bell == prefersOff, p.Motion == prefersOff
}

// preferences are the choices that a player is remembered by.
func (c choices) preferences() (p account.Preferences) {
	if c.theme != draw.Auto {
		p.Theme = c.theme.String()
	}
	if c.digits == draw.Phone {
		p.Digits = prefersPhone
	}
	if c.mouse {
		p.Mouse = prefersOn
	}
	if c.silent {
		p.Bell = prefersOff
	}
	if c.still {
		p.Motion = prefersOff
	}
	return p
}

// deadlyCells is whether the cells where a cross kills its board stand out against the computer.
type deadlyCells uint8

const (
	deadlyAtFirst deadlyCells = iota // in the first matches of a session
	deadlyShown
	deadlyHidden
)

// firstMatches is how many matches of a session are its first.
const firstMatches = 3

// showsDeadly reports whether the deadly cells stand out at a table: against the computer as the player likes it, and
// else if one of the players has had them shown to both.
func (s *session) showsDeadly(at *client.Table) bool {
	if !at.IsAgainstComputer() {
		return at.RevealedBy() != rules.Nobody
	}
	return s.choices.deadly == deadlyShown || s.choices.deadly == deadlyAtFirst && s.ended < firstMatches
}

// playsRated reports whether the player is in a rated pair, and may not be told what perfect play says.
func (s *session) playsRated() bool { return manager.PlaysRated(s.commands.manager, s.player.ID) }

// grace is how long the player may stay away on their turn.
func (s *session) grace() time.Duration { return s.commands.manager.TimeLimits().Grace }

// list asks what goes on at the server.
func (s *session) list() tea.Cmd { return s.commands.list(s.player.ID) }

// requestList asks for what differs from what is shown, until another screen is.
func (s *session) requestList(shown happening) tea.Cmd {
	return s.commands.nextList(s.untilLeft(), s.player.ID, shown)
}

// requestRead has what is shown of the history up to a position read again when there is more, until another screen is
// shown.
func (s *session) requestRead(position uint64, read historyQuery) tea.Cmd {
	return s.commands.nextRead(s.untilLeft(), position, read)
}

// untilLeft is a context that ends when another screen is shown, or with the next call: a session asks once at a time.
func (s *session) untilLeft() context.Context {
	s.stopListing()
	ctx, stop := context.WithCancel(s.commands.ctx)
	s.stopListing = stop
	return ctx
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

// beginAt is the first command of a session that starts elsewhere than in the lobby, which it falls back to.
func (r *Root) beginAt(from start.Start) tea.Cmd {
	s := r.session
	switch {
	case from.Pool.IsRated():
		s.choices.accepts = from.Accepts()
	case from.Terms != (match.Terms{}) || from.Untimed:
		s.choices.terms, s.choices.accepts = from.Table(), from.Accepts()
		if from.Clock.IsNone() && !from.Untimed {
			s.choices.accepts = match.PreferClock(s.choices.accepts)
		}
	}
	if from.Level != 0 {
		s.choices.level = from.Level
	}
	switch from.At {
	case start.Queue:
		return r.seekFor(s.choices.accepts)
	case start.Computer:
		return s.commands.playComputer(s.player, s.choices.terms, s.choices.level, from.Side)
	case start.Private:
		return s.commands.openPrivate(s.player, s.choices.terms)
	case start.Code:
		return s.commands.join(s.player, from.Code)
	case start.Match:
		return r.watchFrom(from.Match)
	default:
		return nil
	}
}

func (r *Root) watchFrom(id match.ID) tea.Cmd {
	if id != "" {
		return r.session.commands.watch(id, r.session.player.ID)
	}
	if matches := r.session.commands.manager.List(); len(matches) > 0 {
		return r.session.commands.watch(matches[0].ID, r.session.player.ID)
	}
	return r.show(r.session.newWatch())
}

func (r *Root) waysBack() []string {
	var lines []string
	for _, id := range r.session.commands.manager.MatchesOf(r.session.player.ID) {
		if code := r.codes[id]; code != "" {
			lines = append(lines, wording.ResumeText(r.session.host, code))
		}
	}
	return lines
}

// keepCode keeps the code of the player's seat at a table that may be left, and forgets those of matches that are over.
// A player who has had another sees the new one.
func (r *Root) keepCode(at *client.Table) {
	code := at.SeatState(at.Side).Code
	if code == "" || r.codes[at.ID] == code {
		return
	}
	if len(r.codes) > 0 {
		r.status = status{text: "New w" + r.session.resumeHint(code)[1:]}
	}
	open := r.session.commands.manager.MatchesOf(r.session.player.ID)
	maps.DeleteFunc(r.codes, func(id match.ID, _ match.Code) bool { return !slices.Contains(open, id) })
	r.codes[at.ID] = code
}
