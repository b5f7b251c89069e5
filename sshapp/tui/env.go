package tui

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// env holds the state that the screens of one session share, and makes their requests (commands.go). Only Root's
// goroutine may change env. A command runs in another goroutine, and may read only fields that never change. A function
// that makes a command copies fields that can change.
type env struct {
	player    match.Player
	host      string               // as [Config.Host]
	isByLogin bool                 // as [Config.ByLogin]
	roundTrip func() time.Duration // as [Config.RoundTrip]

	ctx         context.Context // ends with the session
	manager     *manager.Manager
	client      *client.Session
	accounts    *account.Accounts // may be nil
	caller      account.Caller    // as [Config.Caller]
	history     *store.History    // may be nil
	progress    *store.Progress   // may be nil
	inTurn      func(do func())   // as [Config.InTurn]
	page, today latest            // the reads for the current screen, and for the lobby's line on the day
	stopPolling func()            // ends the current poll
	news        newsSource

	poller        *Poller
	send          func(tea.Msg) // as [Config.Send]
	isChangeNoted atomic.Bool   // a changedMsg was sent that Update has not received

	width, height int
	theme         *draw.Theme
	keys          *keyMap
	moment        *moment // the current animation, never nil
	attention     attention

	settings     settings
	choices      choices
	matches      *ownMatches
	search       opponentSearch
	endedMatches int    // the number of the player's matches that ended in this session
	daily        string // the marks of the daily puzzles, for the text after quitting
	visited      bool   // the first visit was shown in this session
	welcomed     bool   // the lobby has shown the results that came in the player's absence
}

// choices remembers the player's choices for the next match.
type choices struct {
	terms      match.Terms
	accepts    []match.Terms  // the terms that the player accepts, the preferred terms first
	meets      lobby.Meets    // in the queue
	level      strategy.Level // zero without a choice
	side       rules.Side     // the player's side against the computer, zero for a coin toss
	showsClock bool           // the player has asked for a clock against the computer
}

// chosenSeek returns a request for an opponent with the player's choices.
func (e *env) chosenSeek() seekRequest {
	return seekRequest{e.choices.accepts, lobby.Options{Meets: e.choices.meets}}
}

func newEnv(ctx context.Context, cfg *Config) *env {
	e := &env{
		player: cfg.Player, host: cmp.Or(cfg.Host, wording.NoHost), isByLogin: cfg.ByLogin, roundTrip: cfg.RoundTrip,
		ctx: ctx, manager: cfg.Manager, client: client.New(cfg.Manager), history: cfg.History, progress: cfg.Progress,
		accounts: cfg.Accounts, caller: cfg.Caller,
		inTurn:      cfg.InTurn,
		stopPolling: func() {}, poller: cfg.Poller, send: cfg.Send,
		width: 80, height: 24, moment: new(moment),
		settings: newSettings(cfg.Preferences, cfg.OnPreferences),
		choices:  choices{terms: match.DefaultTerms(), accepts: match.PreferClock(match.DefaultAccepted())},
	}
	e.search.env, e.client.OnChange = e, e.noteChange
	e.setTheme(cfg.Theme)
	if e.settings.colors != draw.Auto {
		e.setTheme(e.theme.WithKind(e.settings.colors))
	}
	return e
}

func (e *env) setTheme(theme *draw.Theme) {
	e.theme, e.keys = theme, utf8Keys()
	if theme.Charset() == draw.ASCII {
		e.keys = asciiKeys()
	}
}

// answerDelay returns how long a picture must be shown before a key can be an answer to it. The delay is inFlight plus
// the longer of reaction and inFlight, because a single packet may take longer than the round trip.
func (e *env) answerDelay() time.Duration {
	took := e.inFlight()
	return took + max(reaction, took)
}

const (
	reaction = 300 * time.Millisecond // no person reads and answers a new picture in less time
	slowLink = 50 * time.Millisecond  // on a faster link a key is hardly ever on its way
)

// inFlight returns how long ago a key that arrives now may have been pressed. The result is the round trip on a slow
// link, else 0.
func (e *env) inFlight() time.Duration {
	if e.roundTrip == nil {
		return 0
	}
	if took := e.roundTrip(); took >= slowLink {
		return took
	}
	return 0
}

// playsRated reports whether the player must not see the verdict on shown, as [manager.Manager.PlaysRated].
func (e *env) playsRated(shown ...rules.Position) bool {
	return e.manager.PlaysRated(e.player.ID, shown...)
}

// showsDeadly reports whether the deadly cells of a table stand out. Against the computer the player's setting
// decides. In other matches they stand out after a player has revealed them.
func (e *env) showsDeadly(table *client.Table) bool {
	if !table.IsAgainstComputer() {
		return table.RevealedBy() != rules.NoSide
	}
	return e.settings.deadly == deadlyShown || e.settings.deadly == deadlyAtFirst && e.endedMatches < firstMatches
}

func (e *env) isRoomy() bool { return draw.Size{Width: e.width, Height: e.height}.IsRoomy() }

func (e *env) either(long, short string) string {
	if e.isRoomy() {
		return long
	}
	return short
}

func (e *env) joinOfferText(activity serverActivity) string {
	first := activity.waiting.First[0]
	return e.keys.joinWaiting.Help().Key + " joins " + first.Name + ", " + wording.AcceptsShort(first.Accepts)
}

func (r *Root) joinFirst(activity serverActivity) tea.Cmd {
	if activity.waiting.Count > 0 {
		return r.seekOpponent(requestToJoin(activity.waiting.First[0]))
	}
	return r.say(r.env.either("Nobody you can join is waiting.", "Nobody is waiting."))
}

func (e *env) cutOffText() string {
	return e.either("The server cannot save moves now: wait, or connect again.", "Moves are not saved: wait.")
}
