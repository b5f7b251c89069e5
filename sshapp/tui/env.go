package tui

import (
	"context"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// env holds what all screens of one player share: who it is, how things look, what was chosen last, and the way to
// ask for something.
type env struct {
	player    match.Player
	host      string // the server in commands to copy
	theme     *draw.Theme
	keys      *keyMap
	commands  *commands
	roundTrip func() time.Duration // as of [Config]
	ended     int                  // how many matches of the player's have ended since the session began
	seeking   []match.Terms        // for which a place in the queue has been asked for, or nil

	stopListing func() // ends the wait for what is shown to change at the server

	settings settings
	choices  choices
	moment   *moment // that is shown just now; never nil

	width, height int
	queue         *client.Queue     // a place in the queue, or the last one
	elsewhere     []client.OwnMatch // but for the one that is shown, the most urgent first
}

// choices are the terms and the level that the player has chosen last.
type choices struct {
	terms   match.Terms
	accepts []match.Terms  // of an opponent, the preferred ones first
	level   strategy.Level // zero if none was
}

// use changes how things look.
func (e *env) use(theme *draw.Theme) {
	e.theme, e.keys = theme, keysFor(theme)
}

// setGround suits the colours to the terminal's ground, if they were left to it.
func (e *env) setGround(isDark bool) {
	switch {
	case e.theme.Kind() != draw.Auto:
	case isDark:
		e.use(e.theme.WithKind(draw.Dark))
	default:
		e.use(e.theme.WithKind(draw.Light))
	}
}

// unseen is how long something has to be shown before a key can be an answer to it: a key that was pressed before the
// screen could be seen, or read, is none. On a very slow link twice the way there and back allows for a slower packet.
func (e *env) unseen() time.Duration {
	took := e.inFlight()
	return took + max(reaction, took)
}

const (
	reaction = 300 * time.Millisecond // in less time no person reads what has come up and answers it
	slowLink = 50 * time.Millisecond  // there and back; on a quicker link a key is hardly ever on its way
)

// inFlight is how old a key may be that comes just now: the way there and back on a slow link.
func (e *env) inFlight() time.Duration {
	if e.roundTrip == nil {
		return 0
	}
	if took := e.roundTrip(); took >= slowLink {
		return took
	}
	return 0
}

// playsRated reports whether the player is in a rated pair, and may not be told what perfect play says.
func (e *env) playsRated() bool { return manager.PlaysRated(e.commands.manager, e.player.ID) }

// grace is how long the player may stay away on their turn.
func (e *env) grace() time.Duration { return e.commands.manager.TimeLimits().Grace }

// list asks what goes on at the server.
func (e *env) list() tea.Cmd { return e.commands.list(e.player.ID) }

// requestList asks for what differs from what is shown, until another screen is.
func (e *env) requestList(shown happening) tea.Cmd {
	return e.commands.nextList(e.untilLeft(), e.player.ID, shown)
}

// requestRead has what is shown of the history up to a position read again when there is more, until another screen is
// shown.
func (e *env) requestRead(position uint64, read historyQuery) tea.Cmd {
	return e.commands.nextRead(e.untilLeft(), position, read)
}

// untilLeft is a context that ends when another screen is shown, or with the next call: a session asks once at a time.
func (e *env) untilLeft() context.Context {
	e.stopListing()
	ctx, stop := context.WithCancel(e.commands.ctx)
	e.stopListing = stop
	return ctx
}

// roomy reports whether the window has room for more than what is needed.
func (e *env) roomy() bool { return draw.Size{Width: e.width, Height: e.height}.Roomy() }

// either is the longer text where there is room for it, else the shorter one.
func (e *env) either(long, short string) string {
	if e.roomy() {
		return long
	}
	return short
}

// missedText is the last match that ended while the player was away; empty if none has.
func (e *env) missedText(missed []*match.State) string {
	if len(missed) == 0 {
		return ""
	}
	state := missed[len(missed)-1]
	at := &client.Table{Side: state.Side(e.player.ID), Snapshot: &match.Snapshot{State: state}}
	text := "While you were away: " + headline(at) + " against " + opponent(at) + "."
	if len(missed) > 1 {
		return text + " " + strconv.Itoa(len(missed)) + " matches ended."
	}
	return text + " " + reasonText(at)
}

// renamedText says that the name is not the user name of the login.
func (e *env) renamedText() string {
	text := "You are called " + e.player.Name + " here."
	if e.host == wording.NoHost {
		return e.either(text+" Log in as another user to change that.", text)
	}
	return e.either(text+" For another name: ssh -t -l NAME "+e.host, text)
}

// showsDeadly reports whether the deadly cells stand out at a table: against the computer as the player likes it, and
// else if one of the players has had them shown to both.
func (e *env) showsDeadly(at *client.Table) bool {
	if !at.IsAgainstComputer() {
		return at.RevealedBy() != rules.Nobody
	}
	return e.settings.deadly == deadlyShown || e.settings.deadly == deadlyAtFirst && e.ended < firstMatches
}

// settingsOf are the keys that mean the same everywhere, but for those that a screen has taken, and what is set by
// them.
func (e *env) settingsOf(taken ...key.Binding) []key.Binding {
	k, c := e.keys, &e.settings
	onTop := [...]string{draw.Keypad: e.either("7 8 9", "789"), draw.Phone: e.either("1 2 3", "123")}[c.digits]
	all := []key.Binding{
		renamed(k.theme, "colours: "+e.theme.Kind().String()),
		renamed(k.digits, "digits: "+onTop+" on top"),
		renamed(k.mouse, onOff("mouse:", c.mouse)),
		renamed(k.bell, onOff("bell:", !c.silent)),
		renamed(k.motion, onOff("animation:", !c.still)),
	}
	if !e.roomy() { // elsewhere they stand below a heading, which help is no part of; every footer has it
		all = append(all, renamed(k.help, "help"))
	}
	return slices.DeleteFunc(all, func(b key.Binding) bool {
		return slices.ContainsFunc(taken, func(other key.Binding) bool { return other.Help().Key == b.Help().Key })
	})
}
