package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
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
