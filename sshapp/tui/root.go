package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Config is what a session's program needs.
type Config struct {
	Player  match.Player
	Manager *manager.Manager
	History *history.Store // nil where there is none
	Theme   *draw.Theme    // for the player's terminal
	Start   start.Start
	Host    string // the server in commands to copy; HOST by default
	Renamed bool   // the player's name is not the user name of the login
	// RoundTrip is how long the way to the player's terminal and back takes just now; nil if that is not known. It may
	// be called at any time.
	RoundTrip func() time.Duration
	// DeletedAt is when the player's account will be deleted; zero if it will not be.
	DeletedAt time.Time
	// Preferences are the settings with which the session begins. OnPreferences is called with those at its end, by Close,
	// if the player has chosen others; nil if they are not to be remembered.
	Preferences   account.Preferences
	OnPreferences func(account.Preferences)
}

// Notice is a message from the server to the player. It stays until the next key, or until another one comes.
type Notice string

// Announcement is a message to the player from those who look after the server. It is shown before all others for
// five seconds, and stays until the next key after that. What it has replaced is shown again then.
type Announcement string

// readWithin is how long an announcement is shown at least, whatever the player types.
const readWithin = 5 * time.Second

// status is a line from the server, or of what has ended.
type status struct {
	text  string
	until time.Time // when a key may clear it; zero for at any time
	next  string    // what is shown then
}

// isUnread reports whether the player has not had the time to read the line.
func (s status) isUnread() bool { return time.Now().Before(s.until) }

// Root is the program of one session. It routes keys and news to the screen that is shown, and only it makes views. Its
// methods belong to one goroutine.
type Root struct {
	session    *session
	screen     screen
	dialog     *dialog
	helping    bool
	errText    string                  // why the last command failed
	status     status                  // from the server, or of what has ended
	found      match.ID                // where an opponent waits for the player to come over, or ""
	refreshing bool                    // the player's own matches are looked at again soon
	background []*client.Table         // matches that stay open while another one is shown
	codes      map[match.ID]match.Code // of a guest's seats

	bells   uint
	shared  string    // the line about a match that was shared last
	touched time.Time // when a key was pressed last
	start   start.Start
	end     context.CancelFunc
}

var _ tea.Model = (*Root)(nil)

// New is the program of a session. Call [Root.Close] when it has ended.
func New(cfg Config) *Root {
	ctx, end := context.WithCancel(context.Background())
	s := &session{
		player: cfg.Player, host: cmp.Or(cfg.Host, wording.NoHost),
		roundTrip:   cfg.RoundTrip,
		stopListing: func() {}, moment: new(moment),
		choices: choices{terms: match.DefaultTerms(), accepts: match.PreferClock(match.DefaultAccepted())},
		width:   80, height: 24,
		commands: &commands{ctx: ctx, manager: cfg.Manager, client: client.New(cfg.Manager), history: cfg.History},
	}
	s.use(cfg.Theme)
	s.prefer(cfg.Preferences)
	s.choices.remember = cfg.OnPreferences
	news := s.missedText(cfg.Manager.TakeMissed(cfg.Player.ID))
	if news == "" {
		news = wording.Deletion(cfg.DeletedAt, s.host)
	}
	if news == "" && cfg.Renamed {
		news = s.renamedText()
	}
	return &Root{
		session: s, screen: s.newLobby(), status: status{text: news},
		codes: make(map[match.ID]match.Code), start: cfg.Start, end: end,
	}
}

// Close gives up every seat, place and view that the session holds, and with them every command that waits. It is
// called once the program has ended.
func (r *Root) Close() {
	r.end()
	r.session.commands.client.Close()
	if c := r.session.choices; c.remember != nil && c.preferences() != c.remembered {
		c.remember(c.preferences())
	}
}

// Bell is the number of times that the player's bell should have rung so far.
func (r *Root) Bell() uint { return r.bells }

// Player is who plays in this session: as configured, or the guest that a code has led back to.
func (r *Root) Player() match.Player { return r.session.player }

// AwaitsOpponent reports whether it is the opponent's turn in a match of the player's, so that a player who presses no
// key is not idle.
func (r *Root) AwaitsOpponent() bool {
	if at := tableOf(r.screen); at != nil && at.IsTheirTurn() {
		return true
	}
	return slices.ContainsFunc(r.session.elsewhere, func(o client.OwnMatch) bool {
		return o.State == client.OpponentsTurn
	})
}

// Init is part of tea.Model.
func (r *Root) Init() tea.Cmd {
	return tea.Batch(r.refreshMatches(), r.session.list(), r.beginAt(r.start))
}

// Update is part of tea.Model.
func (r *Root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 { // zero is unknown
			r.session.width, r.session.height = msg.Width, msg.Height
		}
	case tea.KeyPressMsg:
		return r, r.press(msg)
	case tea.MouseClickMsg:
		return r, click(r, msg)
	case tea.BackgroundColorMsg:
		r.setBackground(msg.IsDark())
	case Notice:
		r.status = status{text: string(msg)}
	case Announcement:
		next := r.status.text
		if !r.status.until.IsZero() { // another announcement
			next = r.status.next
		}
		r.status = status{string(msg), time.Now().Add(readWithin), next}
	case failed:
		return r, r.refuse(msg)
	default:
		return r, r.handleEvent(msg)
	}
	return r, nil
}

// pass hands a message to the screen and goes where it says.
func (r *Root) pass(msg tea.Msg) tea.Cmd {
	to, cmd := r.screen.update(msg)
	if to == nil {
		return cmd
	}
	return batch(cmd, to.apply(r))
}

// press takes a key in: the dialog's, the help's, everyone's, or the screen's.
func (r *Root) press(msg tea.KeyPressMsg) tea.Cmd {
	keys := r.session.keys
	r.errText, r.touched, r.session.moment = "", time.Now(), new(moment)
	if !r.status.isUnread() && (!r.helping || r.status.until.IsZero()) {
		r.status = status{text: r.status.next}
	}
	switch {
	case key.Matches(msg, keys.cut):
		return r.askToQuit()
	case r.isTooSmall():
		return nil
	case r.dialog != nil:
		to, done := r.dialog.answer(msg, keys)
		if !done {
			return nil
		}
		r.dialog = nil
		if to == nil {
			return nil
		}
		return to.apply(r)
	case r.helping:
		r.helping = false
		return nil
	case key.Matches(msg, keys.help):
		r.helping = true
		return nil
	}
	if text, ok := r.screen.(textInputer); ok && text.isTyping() {
		return r.pass(msg)
	}
	if call := r.currentAlert(); call != nil && key.Matches(msg, keys.switchTable) {
		return r.switchTable(call.ID)
	}
	if r.changeSetting(msg) {
		return nil
	}
	return r.pass(msg)
}

// askToQuit asks before the session ends; asked for twice, it ends.
func (r *Root) askToQuit() tea.Cmd {
	if r.dialog != nil {
		if _, already := r.dialog.yes.(quit); already {
			return tea.Quit
		}
	}
	r.dialog = quitDialog(tableOf(r.screen), r.session)
	return nil
}

// batch is one command for two, either of which may be nil.
func batch(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	default:
		return tea.Batch(a, b)
	}
}

// ExitText is what a player reads at the end of the session: why, what becomes of the matches and of the place in the
// queue, and a guest's ways back.
func (r *Root) ExitText(why string) string {
	lines := []string{why}
	if kept := wording.KeptAtStop(len(r.session.commands.manager.MatchesOf(r.session.player.ID))); kept != "" {
		lines = append(lines, kept)
	}
	if q := r.session.queue; q.IsWaiting() || q != nil && q.State == client.QueueStopping {
		lines = append(lines, "You were removed from the queue: join it again when you have come back.")
	}
	return strings.Join(append([]string{strings.Join(lines, " ")}, r.waysBack()...), "\n")
}

// QuitText is what stays in the shell of a player who quits: what was shared last, and a line for each of a guest's
// matches that go on; "" if there is nothing.
func (r *Root) QuitText() string {
	lines := r.waysBack()
	if r.shared != "" {
		lines = append([]string{r.shared}, lines...)
	}
	return strings.Join(lines, "\n")
}

// Shared is what the player has asked to have on the clipboard, or "".
func (r *Root) Shared() string { return r.shared }

func (r *Root) ring() {
	if !r.session.choices.silent {
		r.bells++
	}
}

// screen is one of the pictures that the root routes between. It draws itself, answers keys and news, and says where to
// go next.
type screen interface {
	// update takes a message in. The navigation is nil to stay.
	update(msg tea.Msg) (navigation, tea.Cmd)
	// draw fills the canvas but for its last two lines, which hold the notice and the hints.
	draw(s *draw.Canvas)
	// notice is what the line above the hints says when nothing more urgent does.
	notice() (string, draw.Role)
	// KeyMap is the screen's keys: the few that stand at the bottom, most needed first and ending with the help's, and
	// all of them in groups.
	help.KeyMap
	// title is for the window; it holds no name of a player.
	title() string
}

// textInputer is a screen on which letters may be text.
type textInputer interface{ isTyping() bool }

// tableScreener is a screen that shows a match.
type tableScreener interface{ at() *client.Table }

// navigation is where a screen wants to go, or what it wants the root to do for it.
type navigation interface{ apply(r *Root) tea.Cmd }

type (
	toLobby    struct{ notice string }
	toComputer struct{}
	toPrivate  struct{}
	toWaiting  struct{}
	toSeek     struct{ accepts []match.Terms } // an opponent for other terms than those chosen
	toWatch    struct{}
	toHowTo    struct{}
	toLadder   struct{}
	toYou      struct{ again *youScreen } // nil for a new one
	toMatch    struct{ id match.ID }      // one of the player's own
	toTable    struct{ table *client.Table }
	toResult   struct {
		table  *client.Table
		moment moment // that leads to it
	}
	toReview struct {
		result *resultScreen
		ply    int // the chosen move, counted from 0
	}
	backTo    struct{ screen screen }
	giveUp    struct{ table *client.Table } // resign, or close a table without an opponent
	reveal    struct{ table *client.Table } // the deadly cells, to both players
	share     struct{ line string }         // with others
	say       struct{ text string }         // until the next key
	stopQueue struct{}
	ask       struct{ dialog *dialog }
	quit      struct{}
)

// clearError stays, and says no longer why a command was not granted: what the screen says by itself has become more
// urgent.
type clearError struct{}

func (to toLobby) apply(r *Root) tea.Cmd  { return r.enterLobby(to.notice) }
func (toComputer) apply(r *Root) tea.Cmd  { return r.show(r.session.newComputer()) }
func (toPrivate) apply(r *Root) tea.Cmd   { return r.show(r.session.newPrivate()) }
func (toWaiting) apply(r *Root) tea.Cmd   { return r.enterWaiting() }
func (to toSeek) apply(r *Root) tea.Cmd   { return r.seekFor(to.accepts) }
func (toWatch) apply(r *Root) tea.Cmd     { return r.show(r.session.newWatch()) }
func (toHowTo) apply(r *Root) tea.Cmd     { return r.show(r.session.newHowTo()) }
func (toLadder) apply(r *Root) tea.Cmd    { return r.show(r.session.newLadder()) }
func (to toMatch) apply(r *Root) tea.Cmd  { return r.goTo(to.id) }
func (to toTable) apply(r *Root) tea.Cmd  { return r.show(r.session.newTable(to.table)) }
func (to toReview) apply(r *Root) tea.Cmd { return r.show(to.result.newReview(to.ply)) }
func (quit) apply(*Root) tea.Cmd          { return tea.Quit }

func (to toYou) apply(r *Root) tea.Cmd {
	if to.again == nil {
		return r.show(r.session.newYou())
	}
	to.again.state = loaded
	return r.show(to.again)
}

func (to toResult) apply(r *Root) tea.Cmd {
	result := r.session.newResult(to.table)
	cmd := batch(r.show(result), r.session.begin(to.moment))
	result.shown = result.shown.Add(r.session.moment.kind.allLast()) // who won cannot be read before
	return cmd
}

func (to giveUp) apply(r *Root) tea.Cmd {
	return r.session.commands.act(to.table, func(ctx context.Context) error {
		if err := to.table.Resign(ctx); !errors.Is(err, match.ErrMatchOver) {
			return err
		}
		return nil // it has ended already
	})
}

func (to reveal) apply(r *Root) tea.Cmd { return r.session.commands.act(to.table, to.table.Reveal) }

func (to backTo) apply(r *Root) tea.Cmd {
	r.screen = to.screen
	return nil
}

func (clearError) apply(r *Root) tea.Cmd {
	r.errText = ""
	return nil
}

func (to share) apply(r *Root) tea.Cmd {
	r.shared = to.line
	r.status = status{text: "Copied if your terminal allows it. It is printed when you quit."}
	return nil
}

func (to say) apply(r *Root) tea.Cmd {
	r.status = status{text: to.text}
	return nil
}

func (stopQueue) apply(r *Root) tea.Cmd {
	return batch(r.dropQueue(), r.enterLobby(""))
}

func (to ask) apply(r *Root) tea.Cmd {
	r.dialog = to.dialog
	return nil
}
