package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Config configures New.
type Config struct {
	Player  match.Player
	Manager *manager.Manager
	Client  manager.Client // of the session; may be nil
	History *store.History // nil where there is none
	Theme   *draw.Theme    // for the player's terminal
	Start   start.Start
	Host    string // the server in commands to copy; HOST by default
	Renamed bool   // the player's name is not the user name of the login
	ByLogin bool   // the player's name is only the user name of the login
	// RoundTrip is the round trip to the player's terminal just now; nil if it is not known. Any goroutine may call it.
	RoundTrip func() time.Duration
	// DeletedAt is the time at which the player's account will be deleted; zero for never.
	DeletedAt time.Time
	// The session begins with Preferences. Close calls OnPreferences if the player has changed them. OnPreferences may
	// be nil.
	Preferences   account.Preferences
	OnPreferences func(account.Preferences)
}

// Root is the program of one session and its router. It passes keys and messages to the screen, matches, status and
// env.seek, and shows the screens that these ask for. All methods must be called from one goroutine.
type Root struct {
	env     *env
	screen  screen
	dialog  *dialog
	helping bool
	matches *ownMatches
	status  statusLine

	bells   uint
	shared  string    // the last shared line about a match
	touched time.Time // the time of the last key or click
	start   start.Start
	end     context.CancelFunc
}

var _ tea.Model = (*Root)(nil)

// New returns the program of a session. Call [Root.Close] when it has ended.
func New(cfg Config) *Root {
	ctx, end := context.WithCancel(manager.WithClient(context.Background(), cfg.Client))
	e := newEnv(ctx, &cfg)
	own := newOwnMatches(e)
	return &Root{
		env: e, screen: newLobby(e, own), matches: own, status: statusLine{message: cfg.greeting(e)},
		start: cfg.Start, end: end,
	}
}

func (c *Config) greeting(e *env) string {
	deletion := wording.Deletion(c.DeletedAt, e.host)
	switch {
	case deletion != "":
		return deletion
	case !c.Renamed:
		return ""
	}
	text := "You are called " + c.Player.Name + " here."
	if e.host == wording.NoHost {
		return e.either(text+" Log in as another user to change that.", text)
	}
	return e.either(text+" For another name: ssh -t -l NAME "+e.host, text)
}

// Close gives up the session's seats, queue place and watched matches, and ends its commands. Call Close after the
// program has ended.
func (r *Root) Close() {
	r.end()
	r.env.client.Close()
	if s := &r.env.settings; s.remember != nil && s.preferences() != s.remembered {
		s.remember(s.preferences())
	}
}

// Bell returns how often the player's bell should have rung since the session began.
func (r *Root) Bell() uint { return r.bells }

// Player returns the session's player: the configured one, or the guest whose seat a code has opened.
func (r *Root) Player() match.Player { return r.env.player }

// Shared returns what the player wants on the clipboard, or "".
func (r *Root) Shared() string { return r.shared }

// Mouse reports whether the terminal is to send the mouse.
func (r *Root) Mouse() bool { return r.env.settings.mouse }

// AwaitsOpponent reports whether a match waits for the opponent. A player who waits for an opponent is not idle.
func (r *Root) AwaitsOpponent() bool {
	at := tableOf(r.screen)
	return at != nil && at.IsTheirTurn() || r.matches.elsewhere.AwaitsOpponent()
}

// ExitText returns the text for a session that the server ends: why, what becomes of the player's matches and queue
// place, and a guest's ways back.
func (r *Root) ExitText(why string) string {
	lines := []string{why}
	if kept := wording.KeptAtStop(len(r.env.manager.MatchesOf(r.env.player.ID))); kept != "" {
		lines = append(lines, kept)
	}
	if q := r.env.seek.queue; q.IsWaiting() || q != nil && q.State == client.QueueClosed {
		lines = append(lines, "You were removed from the queue: join it again when you have come back.")
	}
	return strings.Join(append([]string{strings.Join(lines, " ")}, r.matches.waysBack()...), "\n")
}

// QuitText returns the text that stays in the shell after a player has quit: the last shared line, the results, and a
// guest's ways back.
func (r *Root) QuitText() string {
	tally, rated := r.env.client.Tally(), ""
	if tally.Rated.Match != "" {
		rated = wording.RatedPairLine(tally.Rated, tally.Standing)
	}
	results := wording.Results(tally.Won, tally.Lost, tally.Drawn)
	lines := []string{wording.Quit(r.env.player.Name, results, rated, r.env.host, r.env.isByLogin)}
	if at := strings.LastIndex(r.shared, "  ssh "); at >= 0 { // the command gets its own line
		lines = append([]string{r.shared[:at], r.shared[at+2:]}, lines...)
	} else if r.shared != "" {
		lines = append([]string{r.shared}, lines...)
	}
	return r.env.theme.Charset().Show(strings.Join(append(lines, r.matches.waysBack()...), "\n"))
}

// Init is part of tea.Model.
func (r *Root) Init() tea.Cmd {
	cmd := r.matches.refresh()
	if first, ok := r.screen.(entering); ok {
		cmd = batch(cmd, first.enter())
	}
	return batch(cmd, r.begin())
}

func (r *Root) begin() tea.Cmd {
	e, from := r.env, &r.start
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
		return e.seek.request(seekRequest{accepts: e.choices.accepts})
	case start.Computer:
		return e.playComputer(e.choices.terms, e.choices.level, from.Side)
	case start.Private:
		return e.openPrivate(e.choices.terms)
	case start.Code:
		return e.join(from.Code)
	case start.Match:
		if from.Match != "" {
			return e.watch(from.Match)
		}
		if matches := e.manager.List(); len(matches) > 0 {
			return e.watch(matches[0].ID)
		}
		return toWatch(r)
	default:
		return nil
	}
}

// Update is part of tea.Model.
func (r *Root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 { // zero is unknown
			wasTooSmall := r.isTooSmall()
			if r.env.width, r.env.height = msg.Width, msg.Height; wasTooSmall {
				r.env.attention.uncover()
			}
		}
	case tea.KeyPressMsg:
		return r, r.press(msg)
	case tea.MouseClickMsg:
		return r, r.click(msg)
	case tea.BackgroundColorMsg:
		if r.env.theme.Kind() == draw.Auto { // the colours were left to the terminal
			kind := draw.Light
			if msg.IsDark() {
				kind = draw.Dark
			}
			r.env.use(r.env.theme.WithKind(kind))
		}
	case Notice:
		r.status.say(string(msg))
	case Announcement:
		r.status.announce(string(msg))
	case failed:
		return r, r.refuse(msg)
	case navigation:
		return r, msg(r)
	default:
		return r, r.handleEvent(msg)
	}
	return r, nil
}

func (r *Root) press(msg tea.KeyPressMsg) tea.Cmd {
	e, keys := r.env, r.env.keys
	e.attention.onKey(msg.String())
	if e.moment.kind == momentFound { // the animation covers the boards
		e.attention.uncover()
	}
	r.touched, e.moment = time.Now(), new(moment)
	r.status.onKey(r.helping)
	e.seek.queue.Activity()
	switch {
	case e.pressed(&keys.cut) && r.dialog != nil && r.dialog.quits:
		return tea.Quit
	case e.pressed(&keys.cut):
		return askToQuit(r)
	case r.isTooSmall():
		return nil
	case r.dialog != nil:
		return r.answer()
	case r.helping:
		r.helping = false
		e.attention.uncover()
		return nil
	case e.pressed(&keys.help):
		r.helping = true
		return nil
	}
	if q := e.seek.queue; q.IsAsked() && e.pressed(&keys.yes) {
		q.Keep()
		return e.seek.scheduleCheck()
	}
	if r.canLeaveQueue() && e.pressed(&keys.leaveQueue) {
		r.status.say("You left the queue.")
		return e.seek.drop()
	}
	if p, ok := r.screen.(*privateScreen); ok && p.isTyping() { // letters are text
		return r.screen.update(r, msg)
	}
	if call := r.matches.alert(); call != nil && e.pressed(&keys.switchTable) {
		r.matches.park(tableOf(r.screen))
		return r.goTo(call.ID)
	}
	if e.pressed(&keys.settings) && e.pressedAction(r.screen.actions()) == nil {
		return r.do(e.settingActions())
	}
	return r.screen.update(r, msg)
}

func (r *Root) canLeaveQueue() bool {
	_, isShown := r.screen.(*waitingScreen)
	return r.env.seek.queue.IsWaiting() && !isShown
}

// checkPlace asks a waiting player for a key, or gives the place up, whichever is due. It ignores a timer whose time at
// is not the scheduled one.
func (r *Root) checkPlace(at time.Time) tea.Cmd {
	s := &r.env.seek
	if !at.Equal(s.checkAt) {
		return nil
	}
	wasAsked := s.queue.IsAsked()
	due := s.queue.Check()
	if due != client.NothingDue {
		r.status.feedback = ""
	}
	if due != client.LeavingDue {
		if due == client.WarningDue {
			r.ring()
		}
		return s.scheduleCheck()
	}
	drop := s.drop()
	if _, isShown := r.screen.(*waitingScreen); isShown {
		return batch(drop, r.enterLobby(s.lapsedText(r.env, wasAsked)))
	}
	r.status.say(s.lapsedText(r.env, wasAsked))
	return drop
}

// show shows a screen. It closes the table of the previous screen, unless next shows that table or it is parked.
func (r *Root) show(next screen) tea.Cmd {
	at := tableOf(next)
	if old := tableOf(r.screen); old != nil && old != at && !r.matches.isParked(old) {
		old.Close()
	}
	r.matches.unpark(at)
	r.env.stopListing()
	r.env.moment = new(moment)
	r.env.attention.uncover()
	_, wasLobby := r.screen.(*lobbyScreen)
	var seen tea.Cmd
	if at != nil && at.Over() && r.matches.isUnseen(at.ID) {
		seen = r.matches.see(at.ID)
	}
	r.matches.onShow(shownID(next), wasLobby)
	r.screen, r.dialog, r.helping, r.status.feedback = next, nil, false, ""
	if next, ok := next.(entering); ok {
		return batch(seen, batch(r.matches.refresh(), next.enter()))
	}
	return batch(seen, r.matches.refresh())
}

func (r *Root) showMatch(s *client.Table) tea.Cmd {
	switch {
	case s.Closed:
		cmd := r.enterLobby("The table has been closed.")
		s.Close()
		return cmd
	case !s.Started():
		return r.show(&inviteScreen{r.env, s})
	case s.Over() && s.IsWatching():
		return r.show(newReplay(r.env, s, r.screen))
	case s.Over():
		return r.show(newResult(r.env, s))
	default:
		return r.show(newTable(r.env, s))
	}
}

func (r *Root) enterLobby(notice string) tea.Cmd {
	if notice != "" {
		r.status.say(notice)
	}
	return r.show(newLobby(r.env, r.matches))
}

func (r *Root) goTo(id match.ID) tea.Cmd {
	if at := r.matches.resume(id); at != nil {
		return r.showMatch(at)
	}
	e, p := r.env, r.env.player.ID
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := e.client.Sit(ctx, id, p)
		return seated{at}, err
	})
}

func (r *Root) handleEvent(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
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
	case seekStatusMsg:
		return r.onSeekStatus(msg)
	case ownMatchesMsg:
		return r.onOwnMatches(msg)
	}
	return r.screen.update(r, msg)
}

func (r *Root) keepCode(at *client.Table) {
	if news := r.matches.keepCode(at); news != "" {
		r.status.say(news)
	}
}

func (r *Root) onOwnMatches(msg ownMatchesMsg) tea.Cmd {
	if msg.player != r.env.player.ID {
		return nil // the answer is for the player before a code led to another seat
	}
	hasEnded, isCalled := r.matches.update(msg.matches, shownID(r.screen))
	if _, isLobby := r.screen.(*lobbyScreen); !isLobby && r.status.message == "" && hasEnded {
		const over = "Your other match is over."
		r.status.say(r.env.either(over+" The first screen shows how it ended.", over))
	}
	if isCalled {
		r.status.feedback = ""
		r.ring()
	}
	return batch(r.matches.scheduleRefresh(), r.screen.update(r, msg))
}

// onSeekStatus handles the status of a place in the queue. An opponent may be found even after the player gave the
// place up.
func (r *Root) onSeekStatus(msg seekStatusMsg) tea.Cmd {
	s, wasLeaving := &r.env.seek, msg.queue.IsLeaving()
	_, isShown := r.screen.(*waitingScreen)
	switch state := msg.queue.Take(msg.status, msg.open); {
	case !msg.queue.IsOver():
		return nextStatus(msg.queue)
	case state == client.QueueFound:
		if wasLeaving {
			s.wanted = seekRequest{} // the found match replaces the requested place
		}
		if r.ring(); isShown {
			return r.goTo(msg.status.Match)
		}
		r.status.feedback = ""
		r.matches.found = msg.status.Match
		return r.matches.refresh()
	case wasLeaving:
		return s.ask()
	case !isShown:
		return nil
	case state == client.QueueMoved:
		return r.enterLobby("You are waiting in another window now.")
	default:
		return r.enterLobby("The queue is closed: no new matches begin here now.")
	}
}

func (r *Root) passTo(s *client.Table, msg tea.Msg) tea.Cmd {
	if tableOf(r.screen) != s {
		return nil
	}
	return r.screen.update(r, msg)
}

// watchedFor is the time after a key in which the bell does not announce the opponent's move.
const watchedFor = 8 * time.Second

// onSnapshot handles a snapshot of a table. One snapshot may hold the player's move and the opponent's answer.
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
		r.status.feedback = ""
	}
	var ask tea.Cmd
	if q := r.env.seek.queue; s.IsSeated() && s.Over() && !before.Over() && q.IsWaiting() {
		q.Ask() // whether the player still wants the place after this match
		ask = r.env.seek.scheduleCheck()
	}
	if r.matches.isParked(s) && s.Over() {
		r.matches.unpark(s)
		s.Close()
		return ask
	}
	cmd := batch(batch(next(s), ask), r.passTo(s, msg))
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

// refuse says why a command failed, and passes the failure to the screen.
func (r *Root) refuse(msg failed) tea.Cmd {
	r.env.seek.wanted = seekRequest{}
	if msg.at == nil {
		r.matches.unpark(tableOf(r.screen)) // the other table could not be opened
	}
	if msg.at != nil && msg.at != tableOf(r.screen) {
		return nil
	}
	switch {
	case errors.Is(msg.err, client.ErrEnded):
	case msg.at != nil && errors.Is(msg.err, context.DeadlineExceeded):
		r.status.feedback = "No answer yet: the board will tell."
	default:
		r.status.feedback = wording.ForError(msg.err).Short
	}
	return r.screen.update(r, msg)
}

// batch returns one command for a and b. Either may be nil.
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
