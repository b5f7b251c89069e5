package tui

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// env holds what the screens of one session share: the player, the theme, the settings, the last choices, and the
// requests in commands.go. It belongs to [Root]'s goroutine. A command runs in another goroutine, so the command copies
// what it needs from env when it is made.
type env struct {
	player    match.Player
	host      string               // the server in commands to copy
	isByLogin bool                 // as ByLogin of [Config]
	roundTrip func() time.Duration // as of [Config]

	ctx         context.Context // of the session
	manager     *manager.Manager
	client      *client.Session
	history     *store.History // nil where there is none
	stopListing func()         // ends the command of the last poll

	width, height int
	theme         *draw.Theme
	keys          *keyMap
	moment        *moment // the animation shown now; never nil
	attention     attention

	settings settings
	choices  choices
	seek     seek
	ended    int // the number of the player's matches that have ended in this session
}

type choices struct {
	terms      match.Terms
	accepts    []match.Terms  // the terms that the player accepts, the preferred ones first
	level      strategy.Level // zero if none was chosen
	first      rules.Side     // the player's side against the computer; rules.Nobody for a coin toss
	showsClock bool           // the player has asked for a clock against the computer
}

func newEnv(ctx context.Context, cfg *Config) *env {
	e := &env{
		player: cfg.Player, host: cmp.Or(cfg.Host, wording.NoHost), isByLogin: cfg.ByLogin, roundTrip: cfg.RoundTrip,
		ctx: ctx, manager: cfg.Manager, client: client.New(cfg.Manager), history: cfg.History, stopListing: func() {},
		width: 80, height: 24, moment: new(moment),
		settings: newSettings(cfg.Preferences, cfg.OnPreferences),
		choices:  choices{terms: match.DefaultTerms(), accepts: match.PreferClock(match.DefaultAccepted())},
	}
	e.seek.env = e
	e.use(cfg.Theme)
	if e.settings.colors != draw.Auto {
		e.use(e.theme.WithKind(e.settings.colors))
	}
	return e
}

func (e *env) use(theme *draw.Theme) {
	e.theme, e.keys = theme, utf8Keys()
	if theme.Charset() == draw.ASCII {
		e.keys = asciiKeys()
	}
}

// answerDelay returns how long a picture must be shown before a key can be an answer to it: the round trip plus
// reaction. If the round trip is longer than reaction, it counts twice, to allow for a slower packet.
func (e *env) answerDelay() time.Duration {
	took := e.inFlight()
	return took + max(reaction, took)
}

const (
	reaction = 300 * time.Millisecond // no person reads and answers a new picture in less time
	slowLink = 50 * time.Millisecond  // the round trip below which a key is hardly ever on its way
)

// inFlight returns how long ago a key that arrives now may have been pressed: the round trip on a slow link, else 0.
func (e *env) inFlight() time.Duration {
	if e.roundTrip == nil {
		return 0
	}
	if took := e.roundTrip(); took >= slowLink {
		return took
	}
	return 0
}

// playsRated reports whether the player is in a rated pair. Such a player may not see the verdict of perfect play.
func (e *env) playsRated() bool { return e.manager.PlaysRated(e.player.ID) }

// showsDeadly reports whether the deadly cells of a table stand out. Against the computer the player's setting decides.
// In other matches they stand out once a player has revealed them.
func (e *env) showsDeadly(at *client.Table) bool {
	if !at.IsAgainstComputer() {
		return at.RevealedBy() != rules.Nobody
	}
	return e.settings.deadly == deadlyShown || e.settings.deadly == deadlyAtFirst && e.ended < firstMatches
}

func (e *env) roomy() bool { return draw.Size{Width: e.width, Height: e.height}.Roomy() }

// either returns the longer text in a roomy window, else the shorter one.
func (e *env) either(long, short string) string {
	if e.roomy() {
		return long
	}
	return short
}

func (e *env) waitingText(now happening) string {
	first := now.waiting.First[0]
	return e.keys.joinWaiting.Help().Key + " joins " + first.Name + ", " + wording.AcceptsInShort(first.Accepts)
}

// joinFirst joins the player who has waited longest, or says that no player can be joined.
func (r *Root) joinFirst(now happening) tea.Cmd {
	if now.waiting.Count > 0 {
		return r.seek(joining(now.waiting.First[0]))
	}
	return r.say(r.env.either("Nobody is waiting whom you can join.", "Nobody is waiting."))
}

// cutOffText says that the server cannot record moves just now.
func (e *env) cutOffText() string {
	return e.either("Nothing can be recorded just now: wait, or connect again.", "Nothing is recorded: wait.")
}
