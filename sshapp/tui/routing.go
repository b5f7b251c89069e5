package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/wording"
)

// sittingOf is the match that a screen shows, if it shows one.
func sittingOf(s screen) *sitting {
	if s, ok := s.(sitter); ok {
		return s.at()
	}
	return nil
}

// entering is a screen that has something to do when it comes up.
type entering interface{ enter() tea.Cmd }

// show brings a screen up, and leaves the match of the one before unless it goes on there or was parked.
func (r *Root) show(next screen) tea.Cmd {
	if old := sittingOf(r.screen); old != nil && old != sittingOf(next) && !slices.Contains(r.parked, old) {
		r.session.wishes.handles.drop(old.handle)
	}
	r.unpark(next)
	r.leaveFor(next)
	r.screen, r.dialog, r.helping, r.trouble = next, nil, false, ""
	if next, ok := next.(entering); ok {
		return together(r.look(), next.enter())
	}
	return r.look()
}

// showMatch brings up the screen that suits how a match stands.
func (r *Root) showMatch(s *sitting) tea.Cmd {
	switch {
	case s.Closed:
		cmd := r.enterLobby("That table was cleared.")
		r.session.wishes.handles.drop(s.handle)
		return cmd
	case !s.Begun():
		return r.show(newInvite(r.session, s))
	case s.Over() && s.watching():
		return r.show(newReplay(r.session, s))
	case s.Over():
		return r.show(newResult(r.session, s))
	default:
		return r.show(newTable(r.session, s))
	}
}

// unpark has a match that is shown again no longer wait for that.
func (r *Root) unpark(shown screen) {
	at := sittingOf(shown)
	r.parked = slices.DeleteFunc(r.parked, func(s *sitting) bool { return s == at })
}

func (r *Root) enterLobby(notice string) tea.Cmd {
	if notice != "" {
		r.news = notice
	}
	return r.show(newLobby(r.session))
}

// goTo brings up one of the player's matches: one that is parked, or by sitting down.
func (r *Root) goTo(id match.ID) tea.Cmd {
	for i, s := range r.parked {
		if s.id == id {
			r.parked = slices.Delete(r.parked, i, i+1)
			return r.showMatch(s)
		}
	}
	return r.session.wishes.sit(id, r.session.player.ID)
}

// hear takes in what the tables, the lobby and the manager have to say; what is not for the root is for the screen.
func (r *Root) hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		return r.becomeAndGo(msg)
	case seated:
		r.keepCode(msg.sitting)
		if s := sittingOf(r.screen); s != nil && s.id == msg.sitting.id && !s.gone {
			r.session.wishes.handles.drop(msg.sitting.handle)
			return nil
		}
		return together(msg.sitting.next, r.showMatch(msg.sitting))
	case *snapped:
		return r.snap(msg)
	case cleared:
		msg.sitting.gone = true
		return r.passTo(msg.sitting, msg)
	case granted:
		return r.passTo(msg.sitting, msg)
	case queuing:
		return r.queue(msg.seek)
	case queueTold:
		return r.queueNews(msg)
	case queueEnded:
		return r.queueEnd(msg)
	case running:
		return r.ownNews(msg)
	case lookedAgain:
		r.looking = false
		return r.look()
	case ticked:
		if msg.screen != r.screen {
			return nil
		}
	case lasting:
		if screen(msg.table) != r.screen {
			return nil
		}
	}
	return r.pass(msg)
}

// becomeAndGo goes to a match that was laid or joined. A code may have led back to another identity, which has other matches, and which the
// queue does not know.
func (r *Root) becomeAndGo(msg opened) tea.Cmd {
	var cmd tea.Cmd
	if msg.player.ID != r.session.player.ID {
		cmd = r.dropQueue()
		r.session.mine, r.found = nil, ""
	}
	r.session.player = msg.player
	return together(cmd, r.goTo(msg.id))
}

// passTo tells the screen about a match, if it is the one that it shows.
func (r *Root) passTo(s *sitting, msg tea.Msg) tea.Cmd {
	if sittingOf(r.screen) != s {
		return nil
	}
	return r.pass(msg)
}

// watchedFor is how long after a key the player is taken to look at the table: no bell has to tell of the opponent's
// move.
const watchedFor = 8 * time.Second

// snap takes a snapshot in, rings if it is for the player to act, and waits for the next one. A snapshot may hold the player's move and the
// answer to it.
func (r *Root) snap(msg *snapped) tea.Cmd {
	s := msg.sitting
	before := s.Snapshot
	wasMine := s.mine()
	s.Snapshot = msg.snapshot
	r.keepCode(s)
	myTurn := s.mine() && (!wasMine || len(s.Moves) > len(before.Moves))
	isWatched := time.Since(r.touched) < watchedFor
	if here := sittingOf(r.screen) == s; here && (myTurn && !isWatched || !before.Begun() && s.Begun()) {
		r.ring()
	}
	if before.Seq != s.Seq {
		r.trouble = ""
	}
	if at := slices.Index(r.parked, s); at >= 0 && s.Over() {
		r.parked = slices.Delete(r.parked, at, at+1)
		r.session.wishes.handles.drop(s.handle)
		return s.next
	}
	cmd := together(s.next, r.passTo(s, msg))
	if before.Next == "" && s.Next != "" && !s.watching() && sittingOf(r.screen) == s {
		r.ring()
		return together(cmd, r.goTo(s.Next))
	}
	return cmd
}

// refuse says why a wish was not granted, and tells the screen that made it.
func (r *Root) refuse(msg refused) tea.Cmd {
	r.session.seeking = false
	if msg.at == nil {
		r.unpark(r.screen) // the way to another one led nowhere
	}
	if msg.at != nil && msg.at != sittingOf(r.screen) {
		return nil
	}
	switch {
	case errors.Is(msg.err, errEnded):
	case msg.at != nil && errors.Is(msg.err, context.DeadlineExceeded):
		r.trouble = "No answer in time: the board will tell."
	default:
		r.trouble = wording.ShortError(msg.err)
	}
	return r.pass(msg)
}
