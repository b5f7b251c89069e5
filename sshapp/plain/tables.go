package plain

import (
	"context"
	"errors"
	"slices"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

var (
	// errTwoTables says that the player has as many matches open in this session as it can tell apart.
	errTwoTables = errors.New("two matches are open here")
	// errNoMatchToWatch says that there is nothing to watch.
	errNoMatchToWatch = errors.New("no match is in progress")
)

// callContext is the context of one thing that is asked of a table or the manager.
func (s *session) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, client.CallTimeout)
}

// act does something at a table, and says if it was refused. What came of it is in the table's next snapshot.
func (s *session) act(do func(ctx context.Context) error) {
	ctx, cancel := s.callContext()
	defer cancel()
	s.report(do(ctx))
}

// goTo sits down in a match of the player's own. A match that is on where the player is now stays open.
func (s *session) goTo(id match.ID) error {
	switch {
	case s.tables.current.IsSeated() && s.tables.current.ID == id && !s.tables.current.IsGone():
		s.printLine("You are at that table.", s.status())
		return nil
	case !s.tables.background.isNone() && s.tables.background.ID == id:
		s.switchTables()
		return nil
	case s.tables.current.IsNeeded() && !s.tables.background.isNone():
		return errTwoTables
	}
	at, err := s.sit(id)
	if err != nil {
		return err
	}
	s.moveTo(at)
	return nil
}

// switchTables goes to the match that was kept open.
func (s *session) switchTables() {
	at := s.tables.background
	s.tables.background = table{}
	s.moveTo(at)
}

// moveTo makes a table the one that the player is at.
func (s *session) moveTo(at table) {
	if s.tables.current.IsNeeded() {
		s.tables.background = s.tables.current
	} else {
		s.tables.current.Close()
	}
	if s.tables.current, s.asked = at, nil; s.tables.found == at.ID {
		s.tables.found = ""
	}
	s.describeTable(at)
}

func (s *session) sit(id match.ID) (table, error) {
	ctx, cancel := s.callContext()
	defer cancel()
	at, err := s.client.Sit(ctx, id, s.player.ID)
	return table{at}, err
}

// watch watches the match named, or the busiest one.
func (s *session) watch(id match.ID) error {
	if id == "" {
		list := s.cfg.Manager.List()
		if len(list) == 0 {
			return errNoMatchToWatch
		}
		id = list[0].ID
	}
	if slices.Contains(s.cfg.Manager.MatchesOf(s.player.ID), id) {
		return s.goTo(id)
	}
	ctx, cancel := s.callContext()
	defer cancel()
	at, err := s.client.Watch(ctx, id, s.player.ID)
	if err != nil {
		return err
	}
	s.moveTo(table{at})
	return nil
}

// busy says why the player cannot begin something else here; empty if there is no reason.
func (s *session) busy() string {
	switch {
	case s.tables.current.IsInviting():
		return "Your private table waits for an opponent. Type leave to close it first."
	case s.tables.current.IsPlaying():
		return "You are in a match. Type resign to give it up, or leave to step away from it, first."
	default:
		return ""
	}
}

// leaveTable leaves the table for the lobby.
func (s *session) leaveTable() {
	s.tables.current.Close()
	s.tables.current, s.asked = table{}, nil
	s.watchBackground()
}

// status is how things stand where the player is.
func (s *session) status() string {
	at := s.tables.current
	switch {
	case at.isNone() && s.queue.isWaiting():
		return "Waiting for an opponent, for " + wording.Accepts(s.queue.Accepts) + ". Type leave to stop waiting."
	case at.isNone():
		return join("You are at no table.", s.lobbySteps())
	case at.IsInviting():
		return "Waiting for your opponent. The code is " + spellOut(at.Code) + "."
	case at.Over():
		return join(at.ending(), at.nextSteps(s.cfg.Manager.Now()))
	default:
		mark := ""
		if at.IsSeated() && at.Variant.IsTicTacToe() {
			mark = "You play" + markText(at.Variant, at.Side) + "."
		}
		return join(at.progress(), at.turnText(), mark, at.limitText(s.cfg.Manager.Now()), at.absence(s.cfg.Manager.Now()))
	}
}

// lobbySteps is what can be done at no table.
func (s *session) lobbySteps() string {
	if !s.tables.background.isNone() {
		return "Another match of yours goes on: type go to go there."
	}
	return "Type play, computer, private, join or watch, or help."
}
