package tui

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Config configures New. Only Client, Accounts, History, Progress, RoundTrip and OnPreferences may be nil.
type Config struct {
	Player match.Player
	// Without Accounts the player makes no challenges. Caller is the account of Player, zero for a guest.
	Accounts *account.Accounts
	Caller   account.Caller
	Manager  *manager.Manager
	Client   manager.Client
	// Send has Update receive a message. Send does not block, and may be called by any goroutine, also before Init and
	// after Close.
	Send func(tea.Msg)
	// Poller is the same for all sessions.
	Poller  *Poller
	History *store.History
	// Progress holds what the player has done in puzzles.
	Progress *store.Progress
	Theme    *draw.Theme
	Start    start.Start
	Host     string // the server in commands to copy, by default HOST
	Renamed  bool   // Player.Name differs from the user name of the login
	ByLogin  bool   // Player.Name is only the user name of the login
	// FirstVisit shows the first visit in place of the lobby.
	FirstVisit bool
	// RoundTrip returns the current round trip to the player's terminal, and may be called by any goroutine. A nil
	// RoundTrip means that the round trip is unknown.
	RoundTrip func() time.Duration
	InTurn    func(do func()) // as in [plain.Config], for commands only
	// DeletedAt is the time of the account's deletion, or zero.
	DeletedAt time.Time
	// The session begins with Preferences. Close calls OnPreferences if the player has changed the preferences.
	Preferences   account.Preferences
	OnPreferences func(account.Preferences)
}

// Root is the program of one session and its router. Only one goroutine may call its methods.
type Root struct {
	env     *env
	screen  screen
	dialog  *dialog
	helping bool
	canvas  draw.Canvas // only while Render runs
	matches *ownMatches
	status  statusLine

	bells     uint
	alert     render.Alert
	alerted   map[match.ID]int // see needsAlert
	looked    time.Time        // the time of the last key, click or focus of the window
	shared    string           // the text that the player shared last
	touched   time.Time        // the time of the last key or click
	start     start.Start
	offered   client.ChallengeNews // the newest challenge to the player, accepted by a key while shown
	offeredAt time.Time
	opening   bool // a command opens an exercise
	end       context.CancelFunc
	greeting  func() string // until the first size of the window is known
}

var _ tea.Model = (*Root)(nil)

// New returns the program of a session. The caller must call [Root.Close] after the program has ended.
func New(cfg Config) *Root {
	ctx, end := context.WithCancel(manager.WithClient(context.Background(), cfg.Client))
	e := newEnv(ctx, &cfg)
	own := newOwnMatches(e)
	r := &Root{
		env: e, screen: newLobby(e), matches: own, start: cfg.Start, end: end, alerted: map[match.ID]int{},
		looked: time.Now(),
	}
	if deletedAt, isRenamed := cfg.DeletedAt, cfg.Renamed; cfg.FirstVisit {
		r.screen = newVisit(e, greeting(e, deletedAt, isRenamed))
	} else {
		r.greeting = func() string { return greeting(e, deletedAt, isRenamed) }
	}
	return r
}

func greeting(e *env, deletedAt time.Time, isRenamed bool) string {
	deletion := wording.Deletion(deletedAt, e.host)
	switch {
	case deletion != "":
		return deletion
	case !isRenamed:
		return ""
	}
	text := "You are " + e.player.Name + "."
	if e.host == wording.NoHost {
		return e.either(text+" To pick a name, log in under it.", text)
	}
	return e.either(text+" To pick a name: ssh -l NAME "+e.host, text)
}

// Close gives up the session's seats, queue place and watched matches, and ends its commands.
func (r *Root) Close() {
	r.end()
	r.env.client.Close()
	if s := &r.env.settings; s.remember != nil && s.preferences() != s.remembered {
		s.remember(s.preferences())
	}
}

// Bell returns the number of times that the player's bell should have rung since the session began.
func (r *Root) Bell() uint { return r.bells }

// Player returns the session's player. After a guest has entered a resume code, the session belongs to the player of
// that seat.
func (r *Root) Player() match.Player { return r.env.player }

// Shared returns the text that the player wants on the clipboard, or "".
func (r *Root) Shared() string { return r.shared }

// Mouse reports whether the terminal should report mouse clicks.
func (r *Root) Mouse() bool { return r.env.settings.mouse }

// AwaitsOpponent reports whether an opponent must move in one of the player's matches. A waiting player is not idle.
func (r *Root) AwaitsOpponent() bool {
	table := tableOf(r.screen)
	return table != nil && table.IsTheirTurn() || r.matches.elsewhere.IsOpponentsTurn()
}

// ExitText returns the text for a session that the server ends. The text states why, what happens to the player's
// matches and queue place, and a guest's resume codes.
func (r *Root) ExitText(why string) string {
	lines := []string{why}
	if kept := wording.KeptAtStop(len(r.env.manager.PlayerMatches(r.env.player.ID))); kept != "" {
		lines = append(lines, kept)
	}
	if q := r.env.search.queue; q.IsWaiting() || q != nil && q.State == client.PlaceClosed {
		lines = append(lines, "You were removed from the queue: join it again when you are back.")
	}
	return strings.Join(append([]string{strings.Join(lines, " ")}, r.matches.waysBack()...), "\n")
}

// QuitText returns the text that stays in the shell after the player has quit, with the last shared line, the results
// and a guest's resume codes.
func (r *Root) QuitText() string {
	score, rated := r.env.client.Score(), ""
	if score.Rated.Match != "" {
		rated = wording.RatedPairLine(score.Rated, score.Standing)
	}
	results := strings.TrimSpace(wording.Results(score.Won, score.Lost, score.Drawn) + "  " + r.env.daily)
	lines := []string{wording.Quit(r.env.player.Name, results, rated, r.env.host, r.env.isByLogin)}
	if at := strings.LastIndex(r.shared, "  ssh "); at >= 0 { // the command gets its own line
		lines = append([]string{r.shared[:at], r.shared[at+2:]}, lines...)
	} else if r.shared != "" {
		lines = append([]string{r.shared}, lines...)
	}
	return r.env.theme.Charset().Show(strings.Join(append(lines, r.matches.waysBack()...), "\n"))
}

// Init implements [tea.Model].
func (r *Root) Init() tea.Cmd {
	cmd := r.matches.refresh()
	if first, ok := r.screen.(entering); ok {
		cmd = batch(cmd, first.enter())
	}
	r.env.noteChange() // for the first news of challenges
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
		return e.search.request(e.chosenSeek())
	case start.Computer:
		return e.playComputer(e.choices.terms, e.choices.level, from.Side)
	case start.Private:
		return e.openPrivate(e.choices.terms)
	case start.Code:
		return e.join(from.Code)
	case start.Match:
		return e.watch(from.Match)
	case start.Learn:
		if from.Lesson == 0 {
			return toLearn(r)
		}
		return openExercise(from.At, from.Lesson)(r)
	case start.Daily, start.Rush, start.Slips:
		return openExercise(from.At, from.Day)(r)
	default:
		return nil
	}
}

// Update implements [tea.Model].
func (r *Root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := r.update(msg)
	r.callBack()
	return model, cmd
}

func (r *Root) update(event tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := event.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 { // zero is unknown
			wasTooSmall := r.isTooSmall()
			if r.env.width, r.env.height = msg.Width, msg.Height; wasTooSmall {
				r.env.attention.uncover()
			}
			if r.greeting != nil { // it depends on the first size, and would cover the boards of a small window
				r.status.message, r.greeting = cmp.Or(r.status.message, r.greeting()), nil
			}
		}
	case tea.KeyPressMsg:
		return r, r.press(event, nameOf(msg))
	case tea.MouseClickMsg:
		r.looked = time.Now()
		return r, r.click(msg)
	case tea.FocusMsg:
		r.looked = time.Now()
	case tea.BackgroundColorMsg:
		if r.env.theme.Kind() == draw.Auto { // the theme has left the colours to the terminal
			kind := draw.Light
			if msg.IsDark() {
				kind = draw.Dark
			}
			r.env.setTheme(r.env.theme.WithKind(kind))
		}
	case Notice:
		r.status.say(string(msg))
	case Announcement:
		r.status.announce(string(msg))
	case failedMsg:
		return r, r.showFailure(msg)
	case faultMsg:
		panic(msg)
	case navigation:
		return r, msg(r)
	default:
		return r, r.handleEvent(msg)
	}
	return r, nil
}

// press handles a key, a tea.KeyPressMsg in an interface that exists already, with its name.
func (r *Root) press(msg tea.Msg, name string) tea.Cmd {
	e, keys := r.env, r.env.keys
	e.attention.onKey(name)
	if e.moment.kind == momentFound { // the animation covers the boards
		e.attention.uncover()
	}
	r.touched, r.looked = time.Now(), time.Now()
	e.endMoment()
	isOffered := r.isOfferShown()
	r.status.onKey(r.helping)
	e.search.queue.RecordActivity()
	if cmd, isCovered := r.pressOverScreen(); isCovered {
		return cmd
	}
	if takesLetters(r.screen) {
		cmd := r.screen.update(r, msg)
		if isOffered && !takesLetters(r.screen) {
			r.status.tell(r.offered.Text()) // the next key may accept
		}
		return cmd
	}
	if q := e.search.queue; q.IsAsked() && e.pressed(&keys.yes) {
		q.Keep()
		return e.search.scheduleCheck()
	}
	if r.canLeaveQueue() && e.pressed(&keys.leaveQueue) {
		r.status.say("You left the queue.")
		return e.search.drop()
	}
	if isOffered && !r.isPlayingHere() && e.pressed(&keys.accept) {
		if e.attention.beganBefore(r.offeredAt.Add(e.answerDelay())) { // the key was meant for the screen
			return nil
		}
		r.status.dismiss()
		return e.accept(r.offered.ID)
	}
	if urgent := r.matches.mostUrgent(); urgent != nil && e.pressed(&keys.switchTable) {
		r.matches.park(tableOf(r.screen))
		return r.goTo(urgent.ID)
	}
	if e.pressed(&keys.settings) && e.pressedAction(r.screen.actions()) == nil {
		return r.runAction(e.settingActions())
	}
	return r.screen.update(r, msg)
}

// pressOverScreen handles a key that the screen does not get, because a dialog or the help covers the screen, or
// because the key opens one.
func (r *Root) pressOverScreen() (cmd tea.Cmd, isCovered bool) {
	e, keys := r.env, r.env.keys
	switch {
	case e.pressed(&keys.interrupt) && r.dialog != nil && r.dialog.quits:
		return tea.Quit, true
	case e.pressed(&keys.interrupt):
		return askToQuit(r), true
	case r.isTooSmall():
		return nil, true
	case r.dialog != nil:
		return r.answer(), true
	case r.helping:
		r.helping = false
		e.attention.uncover()
		return nil, true
	case e.pressed(&keys.help):
		r.helping = true
		return nil, true
	}
	return nil, false
}

func (r *Root) canLeaveQueue() bool {
	_, isShown := r.screen.(*waitingScreen)
	return r.env.search.queue.IsWaiting() && !isShown && !takesLetters(r.screen)
}

// checkPlace warns an inactive player, or gives up the place in the queue. If at is not
// opponentSearch.checkAt, a newer timer has been set and checkPlace has no effect.
func (r *Root) checkPlace(at time.Time) tea.Cmd {
	s := &r.env.search
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

// show shows a screen and closes the table of the previous screen, unless the table is parked or next shows it too.
func (r *Root) show(next screen) tea.Cmd {
	table := tableOf(next)
	if old := tableOf(r.screen); old != nil && old != table && !r.matches.isParked(old) {
		old.Close()
	}
	r.matches.unpark(table)
	r.env.stopPolling()
	r.env.endMoment()
	r.env.attention.uncover()
	var seen tea.Cmd
	if table != nil && table.IsOver() && r.matches.isUnseen(table.ID) {
		seen = r.matches.markSeen(table.ID)
	}
	r.matches.onShow(shownID(next))
	r.screen, r.dialog, r.helping, r.status.feedback = next, nil, false, ""
	if next, ok := next.(entering); ok {
		return batch(seen, batch(r.matches.refresh(), next.enter()))
	}
	return batch(seen, r.matches.refresh())
}

func (r *Root) showMatch(table *client.Table) tea.Cmd {
	_, isFromAway := r.screen.(*awayScreen)
	switch {
	case table.Closed:
		cmd := r.enterLobby("The table has been closed.")
		table.Close()
		return cmd
	case !table.HasStarted():
		return r.show(&inviteScreen{r.env, table})
	case table.IsOver() && (table.IsWatching() || isFromAway):
		return r.show(newReviewedResult(r.env, table, r.screen))
	case table.IsOver():
		return r.show(newResult(r.env, table))
	default:
		return r.show(newTable(r.env, table))
	}
}

func (r *Root) enterLobby(notice string) tea.Cmd {
	if notice != "" {
		r.status.say(notice)
	}
	return r.show(newLobby(r.env))
}

func (r *Root) goTo(id match.ID) tea.Cmd {
	if table := r.matches.resume(id); table != nil {
		return r.showMatch(table)
	}
	e, p := r.env, r.env.player.ID
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		table, err := e.client.Sit(ctx, id, p)
		if err != nil {
			err = goToError{err}
		}
		return seatedMsg{table}, err
	})
}

// goToNextWaiting goes to a match that waits for the player's move. From a waiting match it goes to the next one in the
// order of urgency, else to the most urgent one.
func goToNextWaiting(r *Root) tea.Cmd {
	e, p, shown := r.env, r.env.player.ID, shownID(r.screen)
	return e.request(nil, func(context.Context) (tea.Msg, error) {
		all := e.client.WaitingMatches(p)
		at := slices.IndexFunc(all, func(m client.OwnMatch) bool { return m.ID == shown })
		return navigation(func(r *Root) tea.Cmd {
			if len(all) == 0 || len(all) == 1 && at == 0 {
				return r.say("No other match waits for your move.")
			}
			return r.goTo(all[(at+1)%len(all)].ID)
		}), nil
	})
}

// goToError is the error of a goTo that could not open the next table.
type goToError struct{ error }

func (g goToError) Unwrap() error { return g.error }

func (r *Root) handleEvent(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case seatedMsg:
		r.keepCode(msg.table)
		if table := tableOf(r.screen); table != nil && table.ID == msg.table.ID && !table.IsGone() {
			msg.table.Close()
			return nil
		}
		r.env.noteChange() // the table may have had news before
		return r.showMatch(msg.table)
	case changedMsg:
		return r.onChange()
	case ownMatchesMsg:
		return r.onOwnMatches(msg)
	}
	return r.screen.update(r, msg)
}

func (r *Root) keepCode(table *client.Table) {
	if news := r.matches.keepCode(table); news != "" {
		r.status.say(news)
	}
}

func (r *Root) onOwnMatches(msg ownMatchesMsg) tea.Cmd {
	if msg.player != r.env.player.ID { // a code has led to another seat since the request
		return nil
	}
	maps.DeleteFunc(r.alerted, func(id match.ID, _ int) bool {
		return !slices.ContainsFunc(msg.matches, func(m client.OwnMatch) bool { return m.ID == id })
	})
	hasEnded, losesNow := r.matches.update(msg.matches, shownID(r.screen))
	if _, isLobby := r.screen.(*lobbyScreen); !isLobby && r.status.message == "" && hasEnded {
		const over = "Your other match is over."
		r.status.say(r.env.either(over+" The first screen shows how it ended.", over))
	}
	if losesNow {
		r.status.feedback = ""
		r.ring()
	}
	return batch(r.matches.scheduleRefresh(), r.screen.update(r, msg))
}

// onChange takes the news of the open tables, of the place in the queue and of challenges.
func (r *Root) onChange() (cmd tea.Cmd) {
	r.env.isChangeNoted.Store(false)
	for _, table := range append(slices.Clone(r.matches.parked), tableOf(r.screen)) {
		for before, changed := table.Poll(); changed; before, changed = table.Poll() {
			if table.IsGone() {
				cmd = batch(cmd, r.passToScreen(table, tableClosedMsg{table}))
			} else {
				cmd = batch(cmd, r.onSnapshot(table, before))
			}
		}
	}
	for place := r.env.search.queue; ; {
		wasLeaving := place.IsLeaving()
		if !place.Poll() {
			break
		}
		cmd = batch(cmd, r.onPlaceChange(place, wasLeaving))
	}
	if msg := r.env.news.look(r.env.client, r.env.player); len(msg.news) > 0 || msg.gone != "" {
		cmd = batch(cmd, r.onNews(msg))
	}
	return cmd
}

// onPlaceChange handles news of a place in the queue. An opponent may be found even after the player has left the
// queue.
func (r *Root) onPlaceChange(place *client.Place, wasLeaving bool) tea.Cmd {
	s := &r.env.search
	_, isShown := r.screen.(*waitingScreen)
	switch {
	case !place.IsOver():
		return nil
	case place.State == client.PlaceFound:
		if wasLeaving {
			s.wanted = seekRequest{} // the match replaces the requested place
		}
		if r.ring(); isShown {
			return r.goTo(place.Match)
		}
		r.status.feedback = ""
		r.matches.found = place.Match
		return r.matches.refresh()
	case wasLeaving:
		return s.sendWanted()
	case !isShown:
		return nil
	case place.State == client.PlaceMoved:
		return r.enterLobby("You are waiting in another window now.")
	default:
		return r.enterLobby("The queue is closed: no new matches begin here now.")
	}
}

func (r *Root) passToScreen(table *client.Table, msg tea.Msg) tea.Cmd {
	if tableOf(r.screen) != table {
		return nil
	}
	return r.screen.update(r, msg)
}

// attentiveFor is the time after a key or click during which the opponent's move rings no bell.
const attentiveFor = 8 * time.Second

// onSnapshot handles the new snapshot of a table. One snapshot may hold both the player's move and the opponent's
// answer.
func (r *Root) onSnapshot(table *client.Table, before *match.Snapshot) tea.Cmd {
	wasMine := table.IsSeated() && before.Turn() == table.Side
	r.keepCode(table)
	myTurn := table.IsMyTurn() && (!wasMine || len(table.Moves) > len(before.Moves))
	isAttentive := time.Since(r.touched) < attentiveFor
	isAsked := table.RequestTo(table.Side) != 0 && before.RequestTo(table.Side) == 0
	begins := !before.HasStarted() && table.HasStarted()
	if here := tableOf(r.screen) == table; here && ((myTurn || isAsked) && !isAttentive || begins) {
		r.ring()
	}
	if before.Seq != table.Seq {
		r.status.feedback = ""
	}
	var ask tea.Cmd
	if q := r.env.search.queue; table.IsSeated() && table.IsOver() && !before.IsOver() && q.IsWaiting() {
		q.Ask() // the player may not want another match now
		ask = r.env.search.scheduleCheck()
	}
	if r.matches.isParked(table) && table.IsOver() {
		r.matches.unpark(table)
		table.Close()
		return ask
	}
	cmd := batch(ask, r.passToScreen(table, snapshotMsg{table}))
	if before.Next == "" && table.Next != "" && !table.IsWatching() && tableOf(r.screen) == table {
		r.ring()
		return batch(cmd, r.goTo(table.Next))
	}
	return cmd
}

func (r *Root) ring() {
	if r.env.settings.alerts != alertsOff {
		r.bells++
	}
}

// showFailure tells the player why a command failed, and passes the failure to the screen.
func (r *Root) showFailure(msg failedMsg) tea.Cmd {
	if errors.As(msg.err, new(goToError)) {
		r.matches.unpark(tableOf(r.screen)) // undoes the park of press
	}
	if msg.table != nil && msg.table != tableOf(r.screen) {
		return nil
	}
	var refusal account.Error
	switch {
	case errors.Is(msg.err, client.ErrEnded):
	case errors.As(msg.err, &refusal):
		r.status.feedback = wording.Capital(refusal.Error()) + "."
	case msg.table != nil && errors.Is(msg.err, context.DeadlineExceeded):
		r.status.feedback = "No answer yet: watch the board."
	default:
		r.status.feedback = wording.Explain(msg.err).Short
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
