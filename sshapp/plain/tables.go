package plain

import (
	"context"
	"errors"
	"slices"

	"notakto/match"
	"notakto/sshapp/client"
)

var (
	// errTwoTables says that the player has as many matches open in this session as it can tell apart.
	errTwoTables = errors.New("two matches are open here")
	// errNobodyPlays says that there is nothing to look on at.
	errNobodyPlays = errors.New("no match is in progress")
)

// callContext is the context of one thing that is asked of a table or the manager.
func (s *session) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, client.CallTimeout)
}

// goTo sits down in a match of the player's own. A match that is on where the player is now stays open meanwhile.
func (s *session) goTo(id match.ID) error {
	switch {
	case s.table.IsSeated() && s.table.ID == id && !s.table.IsGone():
		s.printLine("You are at that table.", s.status())
		return nil
	case !s.backgroundTable.isNone() && s.backgroundTable.ID == id:
		s.switchTables()
		return nil
	case s.table.IsNeeded() && !s.backgroundTable.isNone():
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
	at := s.backgroundTable
	s.backgroundTable = table{}
	s.moveTo(at)
}

// moveTo makes a table the one that the player is at.
func (s *session) moveTo(at table) {
	if s.table.IsNeeded() {
		s.backgroundTable = s.table
	} else {
		s.table.Close()
	}
	if s.table, s.asked = at, nil; s.found == at.ID {
		s.found = ""
	}
	s.describeTable(at)
}

func (s *session) sit(id match.ID) (table, error) {
	ctx, cancel := s.callContext()
	defer cancel()
	at, err := s.client.Sit(ctx, id, s.player.ID)
	return table{at}, err
}

// watch looks on: at the match named, or at the busiest one.
func (s *session) watch(id match.ID) error {
	if id == "" {
		list := s.manager.List()
		if len(list) == 0 {
			return errNobodyPlays
		}
		id = list[0].ID
	}
	if slices.Contains(s.manager.MatchesOf(s.player.ID), id) {
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
	case s.table.IsInviting():
		return "Your private table waits for a guest. Type leave to clear it first."
	case s.table.IsPlaying():
		return "You are in a match. Type resign to give it up, or leave to step away from it, first."
	default:
		return ""
	}
}

// leaveTable leaves the table for the lobby.
func (s *session) leaveTable() {
	s.table.Close()
	s.table, s.asked = table{}, nil
	s.trackBackground()
}
