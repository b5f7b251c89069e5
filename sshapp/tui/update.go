package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// tableOf is the match that a screen shows, if it shows one.
func tableOf(s screen) *client.Table {
	if s, ok := s.(tableScreener); ok {
		return s.at()
	}
	return nil
}

// entering is a screen that has something to do when it comes up.
type entering interface{ enter() tea.Cmd }

// show brings a screen up, and leaves the match of the one before unless it goes on there or was parked.
func (r *Root) show(next screen) tea.Cmd {
	if old := tableOf(r.screen); old != nil && old != tableOf(next) && !slices.Contains(r.background, old) {
		old.Close()
	}
	r.foreground(next)
	r.session.stopListing()
	r.session.moment = new(moment)
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
		return r.show(r.session.newInvite(s))
	case s.Over() && s.IsWatching():
		return r.show(r.session.newReplay(s, r.screen))
	case s.Over():
		return r.show(r.session.newResult(s))
	default:
		return r.show(r.session.newTable(s))
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
	return r.show(r.session.newLobby())
}

// goTo brings up one of the player's matches: one that is parked, or by sitting down.
func (r *Root) goTo(id match.ID) tea.Cmd {
	for i, s := range r.background {
		if s.ID == id {
			r.background = slices.Delete(r.background, i, i+1)
			return r.showMatch(s)
		}
	}
	return r.session.commands.sit(id, r.session.player.ID)
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
	if msg.player.ID != r.session.player.ID {
		cmd = r.dropQueue()
		r.session.elsewhere, r.found = nil, ""
	}
	r.session.player = msg.player
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

// refuse shows why a command was not granted, and passes that to the screen that made it.
func (r *Root) refuse(msg failed) tea.Cmd {
	r.session.seeking = nil
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

// News of a match.
type (
	snapshotMsg struct { // its table has changed
		table    *client.Table
		snapshot *match.Snapshot
	}
	tableClosedMsg struct{ table *client.Table } // its table has closed
)

// next waits for the next snapshot of a match. One such command is under way for each table that is open; it ends when
// the table closes.
func next(t *client.Table) tea.Cmd {
	snapshots := t.Snapshots()
	if snapshots == nil {
		return nil
	}
	return func() tea.Msg {
		news, open := &snapshotMsg{table: t}, false // not on the stack of a goroutine that waits as long as the match lasts
		if news.snapshot, open = <-snapshots; !open {
			return tableClosedMsg{t}
		}
		return news
	}
}

// act does something at a table.
func (w *commands) act(at *client.Table, do func(ctx context.Context) error) tea.Cmd {
	return w.do(at, func(ctx context.Context) (tea.Msg, error) { return accepted{at}, do(ctx) })
}

// accepted says that a command at a table was recorded. What came of it is in the next snapshot.
type accepted struct{ table *client.Table }

// commands are the commands by which the screens ask for something. Each has a deadline, and all end with the session.
type commands struct {
	ctx     context.Context
	manager *manager.Manager
	client  *client.Session
	history *history.Store // nil where there is none
}

// The answers to commands.
type (
	opened struct { // a match was opened: sit down there
		id     match.ID
		player match.Player // who sits there: another than before if a guest came back by a code
	}
	seated         struct{ table *client.Table }
	seekStartedMsg struct{ queue *client.Queue }
	listed         struct{ now happening }
	ownMatches     struct {
		player  match.PlayerID
		matches []client.OwnMatch
	}
	failed struct { // a command was not granted
		at  *client.Table // the table at which it was made, if it was made at one
		err error
	}
)

// do has a command made with a deadline. The table is the one at which it is made, or nil.
func (w *commands) do(at *client.Table, ask func(ctx context.Context) (tea.Msg, error)) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(w.ctx, client.CallTimeout)
		defer cancel()
		msg, err := ask(ctx)
		if err != nil {
			return failed{at, err}
		}
		return msg
	}
}

// playComputer opens a match against the computer that may begin with moves of another. Level zero is the one that is
// offered.
func (w *commands) playComputer(p match.Player, terms match.Terms, level strategy.Level, side rules.Side,
	moves ...rules.Move) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, err := w.manager.Play(ctx, p, terms, cmp.Or(level, w.client.NextRung(0)), side, moves...)
		return opened{id, p}, err
	})
}

func (w *commands) openPrivate(p match.Player, terms match.Terms) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, _, err := w.manager.OpenPrivate(ctx, p, terms)
		return opened{id, p}, err
	})
}

// join sits down by a code.
func (w *commands) join(p match.Player, code match.Code) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		id, who, err := w.client.Join(ctx, p, code)
		return opened{id, who}, err
	})
}

func (w *commands) sit(id match.ID, p match.PlayerID) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := w.client.Sit(ctx, id, p)
		return seated{at}, err
	})
}

// watch watches a match; a player of the match sits down there instead.
func (w *commands) watch(id match.ID, p match.PlayerID) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		at, err := w.client.Watch(ctx, id, p)
		return seated{at}, err
	})
}

func (w *commands) seek(p match.Player, accepts []match.Terms) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		q, err := w.client.Seek(ctx, p, accepts...)
		return seekStartedMsg{q}, err
	})
}

// happening is what goes on at the server just now.
type happening struct {
	matches []match.Summary // that may be watched, the busiest first
	waiting lobby.Waiting   // for an opponent, besides the player
	ended   *match.State    // the match that ended last, or nil
}

func (h happening) equal(other happening) bool {
	return h.waiting.Equal(other.waiting) && h.ended == other.ended && slices.Equal(h.matches, other.matches)
}

// happening looks at what goes on besides what the player does.
func (w *commands) happening(p match.PlayerID) happening {
	return happening{w.manager.List(), w.manager.Lobby().Waiting(p), w.manager.LastEnded()}
}

func (w *commands) list(p match.PlayerID) tea.Cmd {
	return func() tea.Msg { return listed{w.happening(p)} }
}

// listEvery is how often what is shown of the server is compared with how things stand.
const listEvery = 2 * time.Second

// nextList returns what goes on once that is not what is shown, unless ctx ends before.
func (w *commands) nextList(ctx context.Context, p match.PlayerID, shown happening) tea.Cmd {
	return poll(ctx, func() tea.Msg {
		if next := w.happening(p); !next.equal(shown) {
			return listed{next}
		}
		return nil
	})
}

// nextRead reads from the history again once that has read more matches than up to a position, unless ctx ends before.
// Where that fails it tries again.
func (w *commands) nextRead(ctx context.Context, position uint64, read historyQuery) tea.Cmd {
	if w.history == nil {
		return nil
	}
	return poll(ctx, func() tea.Msg {
		if w.history.IndexedTo() == position {
			return nil
		}
		if msg := w.do(nil, read)(); !isFailed(msg) {
			return msg
		}
		return nil
	})
}

// historyQuery reads what a screen shows from the history.
type historyQuery func(ctx context.Context) (tea.Msg, error)

func isFailed(msg tea.Msg) bool {
	_, is := msg.(failed)
	return is
}

// poll returns the first message that look returns, which is called every [listEvery] until ctx ends.
func poll(ctx context.Context, look func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ticker := time.NewTicker(listEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if msg := look(); msg != nil {
					return msg
				}
			case <-ctx.Done():
				return nil
			}
		}
	}
}

func (w *commands) ownMatches(p match.PlayerID) tea.Cmd {
	return func() tea.Msg {
		return ownMatches{p, w.client.OwnMatches(p)}
	}
}

// now is the time by the clock of what was recorded, which is another than this process's where several write one
// journal.
func (w *commands) now() time.Time { return w.manager.Now() }

// tickEverySecond sends one screen a message after each second.
func (w *commands) tickEverySecond(screen screen) tea.Cmd { return w.tickIn(time.Second, screen) }

// tickIn sends one screen a message after a time.
func (w *commands) tickIn(pause time.Duration, screen screen) tea.Cmd {
	return w.in(pause, func() tea.Msg { return ticked{screen, w.now()} })
}

// in brings a message after a pause, unless the session ends before.
func (w *commands) in(pause time.Duration, what func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
			return what()
		case <-w.ctx.Done():
			return nil
		}
	}
}

// ticked says that a time has passed for a screen that counts it.
type ticked struct {
	screen screen
	now    time.Time
}
