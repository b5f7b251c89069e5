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

// Root is the program of one session. It routes keys and news to the screen that is shown, and only it makes views. Its
// methods belong to one goroutine.
type Root struct {
	env        *env
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
	e := &env{
		player: cfg.Player, host: cmp.Or(cfg.Host, wording.NoHost),
		roundTrip:   cfg.RoundTrip,
		stopListing: func() {}, moment: new(moment),
		settings: newSettings(cfg.Preferences, cfg.OnPreferences),
		choices:  choices{terms: match.DefaultTerms(), accepts: match.PreferClock(match.DefaultAccepted())},
		width:    80, height: 24,
		commands: &commands{ctx: ctx, manager: cfg.Manager, client: client.New(cfg.Manager), history: cfg.History},
	}
	e.use(cfg.Theme)
	if e.settings.colors != draw.Auto {
		e.use(e.theme.WithKind(e.settings.colors))
	}
	news := e.missedText(cfg.Manager.TakeMissed(cfg.Player.ID))
	if news == "" {
		news = wording.Deletion(cfg.DeletedAt, e.host)
	}
	if news == "" && cfg.Renamed {
		news = e.renamedText()
	}
	return &Root{
		env: e, screen: newLobby(e), status: status{text: news},
		codes: make(map[match.ID]match.Code), start: cfg.Start, end: end,
	}
}

// Close gives up every seat, place and view that the session holds, and with them every command that waits. It is
// called once the program has ended.
func (r *Root) Close() {
	r.end()
	r.env.commands.client.Close()
	r.env.settings.save()
}

// Bell is the number of times that the player's bell should have rung so far.
func (r *Root) Bell() uint { return r.bells }

// Player is who plays in this session: as configured, or the guest that a code has led back to.
func (r *Root) Player() match.Player { return r.env.player }

// Shared is what the player has asked to have on the clipboard, or "".
func (r *Root) Shared() string { return r.shared }

// Mouse reports whether the terminal is to send the mouse.
func (r *Root) Mouse() bool { return r.env.settings.mouse }

// AwaitsOpponent reports whether it is the opponent's turn in a match of the player's, so that a player who presses no
// key is not idle.
func (r *Root) AwaitsOpponent() bool {
	if at := tableOf(r.screen); at != nil && at.IsTheirTurn() {
		return true
	}
	return slices.ContainsFunc(r.env.elsewhere, func(o client.OwnMatch) bool {
		return o.State == client.OpponentsTurn
	})
}

// ExitText is what a player reads at the end of the session: why, what becomes of the matches and of the place in the
// queue, and a guest's ways back.
func (r *Root) ExitText(why string) string {
	lines := []string{why}
	if kept := wording.KeptAtStop(len(r.env.commands.manager.MatchesOf(r.env.player.ID))); kept != "" {
		lines = append(lines, kept)
	}
	if q := r.env.queue; q.IsWaiting() || q != nil && q.State == client.QueueStopping {
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

// Init is part of tea.Model.
func (r *Root) Init() tea.Cmd {
	return tea.Batch(r.refreshMatches(), r.env.list(), r.beginAt(r.start))
}

// beginAt is the first command of a session that starts elsewhere than in the lobby, which it falls back to.
func (r *Root) beginAt(from start.Start) tea.Cmd {
	e := r.env
	switch {
	case from.Pool.IsRated():
		e.choices.accepts = from.Accepts()
	case from.Terms != (match.Terms{}) || from.Untimed:
		e.choices.terms, e.choices.accepts = from.Table(), from.Accepts()
		if from.Clock.IsNone() && !from.Untimed {
			e.choices.accepts = match.PreferClock(e.choices.accepts)
		}
	}
	if from.Level != 0 {
		e.choices.level = from.Level
	}
	switch from.At {
	case start.Queue:
		return r.seekFor(e.choices.accepts)
	case start.Computer:
		return e.commands.playComputer(e.player, e.choices.terms, e.choices.level, from.Side)
	case start.Private:
		return e.commands.openPrivate(e.player, e.choices.terms)
	case start.Code:
		return e.commands.join(e.player, from.Code)
	case start.Match:
		return r.watchFrom(from.Match)
	default:
		return nil
	}
}

func (r *Root) watchFrom(id match.ID) tea.Cmd {
	if id != "" {
		return r.env.commands.watch(id, r.env.player.ID)
	}
	if matches := r.env.commands.manager.List(); len(matches) > 0 {
		return r.env.commands.watch(matches[0].ID, r.env.player.ID)
	}
	return r.show(newWatch(r.env))
}

// Update is part of tea.Model.
func (r *Root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 { // zero is unknown
			r.env.width, r.env.height = msg.Width, msg.Height
		}
	case tea.KeyPressMsg:
		return r, r.press(msg)
	case tea.MouseClickMsg:
		return r, click(r, msg)
	case tea.BackgroundColorMsg:
		r.env.setGround(msg.IsDark())
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

// press takes a key in: the dialog's, the help's, everyone's, or the screen's.
func (r *Root) press(msg tea.KeyPressMsg) tea.Cmd {
	keys := r.env.keys
	r.errText, r.touched, r.env.moment = "", time.Now(), new(moment)
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
	if _, isReview := r.screen.(*reviewScreen); !isReview || !key.Matches(msg, keys.playOn) { // there p is no setting
		if r.errText = r.env.settings.change(msg, r.env); r.errText != "" {
			return nil
		}
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
	r.dialog = quitDialog(tableOf(r.screen), r.env)
	return nil
}

// pass hands a message to the screen and goes where it says.
func (r *Root) pass(msg tea.Msg) tea.Cmd {
	to, cmd := r.screen.update(msg)
	if to == nil {
		return cmd
	}
	return batch(cmd, to.apply(r))
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

// tableOf is the match that a screen shows, if it shows one.
func tableOf(s screen) *client.Table {
	if s, ok := s.(tableScreener); ok {
		return s.at()
	}
	return nil
}

// shownID is the match that a screen shows, or "".
func shownID(s screen) match.ID {
	if at := tableOf(s); at != nil {
		return at.ID
	}
	return ""
}

// entering is a screen that has something to do when it comes up.
type entering interface{ enter() tea.Cmd }

// show brings a screen up, and leaves the match of the one before unless it goes on there or was parked.
func (r *Root) show(next screen) tea.Cmd {
	if old := tableOf(r.screen); old != nil && old != tableOf(next) && !slices.Contains(r.background, old) {
		old.Close()
	}
	r.foreground(next)
	r.env.stopListing()
	r.env.moment = new(moment)
	r.onScreenChange(next)
	r.screen, r.dialog, r.helping, r.errText = next, nil, false, ""
	if next, ok := next.(entering); ok {
		return batch(r.refreshMatches(), next.enter())
	}
	return r.refreshMatches()
}

// showMatch brings up the screen that suits how a match stands.
func (r *Root) showMatch(s *client.Table) tea.Cmd {
	switch {
	case s.Closed:
		cmd := r.enterLobby("The table has been closed.")
		s.Close()
		return cmd
	case !s.Started():
		return r.show(newInvite(r.env, s))
	case s.Over() && s.IsWatching():
		return r.show(newReplay(r.env, s, r.screen))
	case s.Over():
		return r.show(newResult(r.env, s))
	default:
		return r.show(newTable(r.env, s))
	}
}

// foreground has a match that is shown again no longer wait for that.
func (r *Root) foreground(shown screen) {
	at := tableOf(shown)
	r.background = slices.DeleteFunc(r.background, func(s *client.Table) bool { return s == at })
}

func (r *Root) enterLobby(notice string) tea.Cmd {
	if notice != "" {
		r.status = status{text: notice}
	}
	return r.show(newLobby(r.env))
}

// goTo brings up one of the player's matches: one that is parked, or by sitting down.
func (r *Root) goTo(id match.ID) tea.Cmd {
	for i, s := range r.background {
		if s.ID == id {
			r.background = slices.Delete(r.background, i, i+1)
			return r.showMatch(s)
		}
	}
	return r.env.commands.sit(id, r.env.player.ID)
}

// handleEvent takes in what the tables, the lobby and the manager have to say; what is not for the root is for the
// screen.
func (r *Root) handleEvent(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		return r.switchPlayer(msg)
	case seated:
		r.keepCode(msg.table)
		if s := tableOf(r.screen); s != nil && s.ID == msg.table.ID && !s.IsGone() {
			msg.table.Close()
			return nil
		}
		return batch(next(msg.table), r.showMatch(msg.table))
	case *snapshotMsg:
		return r.onSnapshot(msg)
	case tableClosedMsg:
		msg.table.Take(nil, false)
		return r.passTo(msg.table, msg)
	case accepted:
		return r.passTo(msg.table, msg)
	case seekStartedMsg:
		return r.beginWaiting(msg.queue)
	case seekStatusMsg:
		return r.onSeekStatus(msg)
	case ownMatches:
		return r.onOwnMatches(msg)
	case refreshDue:
		r.refreshing = false
		return r.refreshMatches()
	case ticked:
		if msg.screen != r.screen {
			return nil
		}
	case momentOver:
		return r.onMomentOver(msg)
	case bannerDue:
		if screen(msg.table) != r.screen {
			return nil
		}
	}
	return r.pass(msg)
}

// switchPlayer goes to a match that was opened or joined. A code may have led back to another identity, which has other
// matches, and which the queue does not know.
func (r *Root) switchPlayer(msg opened) tea.Cmd {
	var cmd tea.Cmd
	if msg.player.ID != r.env.player.ID {
		cmd = r.dropQueue()
		r.env.elsewhere, r.found = nil, ""
	}
	r.env.player = msg.player
	return batch(cmd, r.goTo(msg.id))
}

// passTo passes a message about a match to the screen, if it shows that match.
func (r *Root) passTo(s *client.Table, msg tea.Msg) tea.Cmd {
	if tableOf(r.screen) != s {
		return nil
	}
	return r.pass(msg)
}

// watchedFor is how long after a key the player is taken to look at the table: no bell has to tell of the opponent's
// move.
const watchedFor = 8 * time.Second

// onSnapshot takes a snapshot in, rings if it is for the player to act, and waits for the next one. A snapshot may hold
// the player's move and the answer to it.
func (r *Root) onSnapshot(msg *snapshotMsg) tea.Cmd {
	s := msg.table
	wasMine := s.IsMyTurn()
	before := s.Take(msg.snapshot, true)
	r.keepCode(s)
	myTurn := s.IsMyTurn() && (!wasMine || len(s.Moves) > len(before.Moves))
	isWatched := time.Since(r.touched) < watchedFor
	if here := tableOf(r.screen) == s; here && (myTurn && !isWatched || !before.Started() && s.Started()) {
		r.ring()
	}
	if before.Seq != s.Seq {
		r.errText = ""
	}
	if at := slices.Index(r.background, s); at >= 0 && s.Over() {
		r.background = slices.Delete(r.background, at, at+1)
		s.Close()
		return nil
	}
	cmd := batch(next(s), r.passTo(s, msg))
	if before.Next == "" && s.Next != "" && !s.IsWatching() && tableOf(r.screen) == s {
		r.ring()
		return batch(cmd, r.goTo(s.Next))
	}
	return cmd
}

func (r *Root) ring() {
	if !r.env.settings.silent {
		r.bells++
	}
}

// refuse shows why a command was not granted, and passes that to the screen that made it.
func (r *Root) refuse(msg failed) tea.Cmd {
	r.env.seeking = nil
	if msg.at == nil {
		r.foreground(r.screen) // the way to another one led nowhere
	}
	if msg.at != nil && msg.at != tableOf(r.screen) {
		return nil
	}
	switch {
	case errors.Is(msg.err, client.ErrEnded):
	case msg.at != nil && errors.Is(msg.err, context.DeadlineExceeded):
		r.errText = "No answer in time: the board will tell."
	default:
		r.errText = wording.ForError(msg.err).Short
	}
	return r.pass(msg)
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
