package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
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
func (s *session) playsRated() bool { return s.commands.manager.PlaysRated(s.player.ID) }

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

// refreshDue says that it is time to look at the player's own matches again.
type refreshDue struct{}

// refreshMatches asks how the player's own matches stand.
func (r *Root) refreshMatches() tea.Cmd { return r.session.commands.ownMatches(r.session.player.ID) }

// scheduleRefresh has them looked at again in a second, while any is on that is not shown: whose turn it is matters
// most to who is away from it.
func (r *Root) scheduleRefresh() tea.Cmd {
	if r.refreshing || !slices.ContainsFunc(r.session.elsewhere, func(o client.OwnMatch) bool { return !o.Over() }) {
		return nil
	}
	r.refreshing = true
	return r.session.commands.in(time.Second, func() tea.Msg { return refreshDue{} })
}

// missedText is the last match that ended while the player was away; empty if none has.
func (s *session) missedText(missed []*match.State) string {
	if len(missed) == 0 {
		return ""
	}
	state := missed[len(missed)-1]
	at := &client.Table{Side: state.Side(s.player.ID), Snapshot: &match.Snapshot{State: state}}
	text := "While you were away: " + headline(at) + " against " + opponent(at) + "."
	if len(missed) > 1 {
		return text + " " + strconv.Itoa(len(missed)) + " matches ended."
	}
	return text + " " + reasonText(at)
}

// renamedText says that the name is not the user name of the login.
func (s *session) renamedText() string {
	text := "You are called " + s.player.Name + " here."
	if s.host == wording.NoHost {
		return s.either(text+" Log in as another user to change that.", text)
	}
	return s.either(text+" For another name: ssh -t -l NAME "+s.host, text)
}

// onOwnMatches takes in how the player's own matches stand, rings when one needs the player, and reports one that has
// ended.
func (r *Root) onOwnMatches(msg ownMatches) tea.Cmd {
	s, before := r.session, r.currentAlert()
	if msg.player != s.player.ID {
		return nil // who the player was before a code led back to another seat
	}
	ended := client.Ended(s.elsewhere, msg.matches)
	s.elsewhere = elsewhere(msg.matches, s.elsewhere, shownID(r.screen))
	if _, lobby := r.screen.(*lobbyScreen); !lobby && r.status.text == "" && len(ended) > 0 {
		const over = "Your other match is over."
		r.status = status{text: s.either(over+" The first screen shows how it ended.", over)}
	}
	if now := r.currentAlert(); now != nil && !now.LostAt().IsZero() && (before == nil || before.LostAt().IsZero()) {
		r.errText = ""
		r.ring()
	}
	return batch(r.scheduleRefresh(), r.pass(msg))
}

// onScreenChange drops what need not be shown any more once a screen comes up: the match that it shows, and, after the
// lobby, what was over there.
func (r *Root) onScreenChange(next screen) {
	id := shownID(next)
	_, lobby := r.screen.(*lobbyScreen)
	r.session.elsewhere = slices.DeleteFunc(r.session.elsewhere, func(o client.OwnMatch) bool {
		return o.ID == id || lobby && o.Over()
	})
	if id == r.found {
		r.found = ""
	}
}

// shownID is the match that a screen shows, or "".
func shownID(s screen) match.ID {
	if at := tableOf(s); at != nil {
		return at.ID
	}
	return ""
}

// alertFound has the player be called over to an opponent who was found.
func (r *Root) alertFound(id match.ID) tea.Cmd {
	r.found = id
	return r.refreshMatches()
}

// currentAlert is the match that the player is to come to, or nil: the one that is lost first, or else the opponent who
// was found, or else one in which a person waits for the player's move.
func (r *Root) currentAlert() (call *client.OwnMatch) {
	for i := range r.session.elsewhere {
		switch own := &r.session.elsewhere[i]; {
		case own.Over():
		case !own.LostAt().IsZero():
			if call == nil || call.LostAt().IsZero() || own.LostAt().Before(call.LostAt()) {
				call = own
			}
		case call != nil && !call.LostAt().IsZero():
		case own.ID == r.found, call == nil && own.State == client.PersonWaits:
			call = own
		}
	}
	return call
}

// isUrgent reports whether an opponent was just found, or the time is running: that comes before other news.
func (r *Root) isUrgent(call *client.OwnMatch) bool {
	return call.ID == r.found || !call.LostAt().IsZero()
}

// alertText calls the player over, who may lose by staying away.
func (r *Root) alertText(call *client.OwnMatch) string {
	s := r.session
	press := "Press " + s.keys.switchTable.Help().Key
	long, short := "It is your turn! "+press+" to go over", "Your turn! "+press
	switch {
	case call.ID == r.found:
		long, short = "Opponent found! "+press+" to go over", "Opponent! "+press
	case tableOf(r.screen) != nil:
		long, short = "Your turn at the other table! "+press+" to go over", "Other table! "+press
	}
	if !call.LostAt().IsZero() {
		left := wording.Seconds(call.LostAt().Sub(s.commands.now()))
		loss := "you lose"
		if call.MayBeVoid() {
			loss = "the match ends"
		}
		return s.either(fmt.Sprintf("%s within %d s, or %s.", long, left, loss), fmt.Sprintf("%s within %d s.", short, left))
	}
	return s.either(long+".", short+" to go over.")
}

// switchTable goes to the match that calls. One that is being played stays open.
func (r *Root) switchTable(id match.ID) tea.Cmd {
	if s := tableOf(r.screen); s != nil && !s.Over() && !s.IsWatching() && !slices.Contains(r.background, s) {
		r.background = append(r.background, s)
	}
	return r.goTo(id)
}

// aboutText is what one of the player's matches is.
func aboutText(o client.OwnMatch, me match.PlayerID, now time.Time) string {
	if o.State == client.AwaitsGuest {
		return "A private table, without an opponent yet"
	}
	about := wording.Variant(o.Variant) + " against " + o.Opponent(me).Name
	left := ""
	if !o.MoveBy.IsZero() {
		left = ", " + wording.ClockFace(o.MoveBy.Sub(now)) + " left"
	}
	switch o.State {
	case client.PersonWaits, client.ComputerWaits:
		return about + ", your turn" + left
	case client.IsBetween:
		return about + ", game 2 follows"
	case client.IsOver:
		return about + ", over"
	default:
		return about + ", " + wording.Count(o.Plies, "move", "moves") + left
	}
}

// elsewhere are the player's matches but for the one that is shown, the most urgent first, and those that were among
// them before and are over.
func elsewhere(own, before []client.OwnMatch, shown match.ID) []client.OwnMatch {
	still := slices.DeleteFunc(slices.Clone(before), func(o client.OwnMatch) bool { return !o.Over() })
	over := slices.Concat(client.Ended(before, own), still)
	all := slices.Concat(own, over[:min(len(over), maxOver)])
	all = slices.DeleteFunc(all, func(o client.OwnMatch) bool { return o.ID == shown })
	slices.SortStableFunc(all, func(a, b client.OwnMatch) int { return cmp.Compare(a.State, b.State) })
	return all
}

// maxOver is how many matches that are over are kept, until the player comes to the lobby: another session of the
// player may play without an end.
const maxOver = 8
