package plain

import (
	"context"
	"errors"
	"slices"

	"notakto/match"
)

var (
	// errTwoTables says that the player has as many matches open in this session as it can tell apart.
	errTwoTables = errors.New("two matches are open here")
	// errNobodyPlays says that there is nothing to look on at.
	errNobodyPlays = errors.New("no match is in progress")
)

// wish is the context of one thing that is asked of a table or the manager.
func (s *session) wish() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, patience)
}

// goTo sits down in a match of the player's own. A match that is on where the player is now stays open meanwhile.
func (s *session) goTo(id match.ID) error {
	switch {
	case s.here.seated() && s.here.id == id && !s.here.left:
		s.say("You are at that table.", s.status())
		return nil
	case s.other != nil && s.other.id == id:
		s.swap()
		return nil
	case s.here.open() && s.other != nil:
		return errTwoTables
	}
	at, err := s.sit(id)
	if err != nil {
		return err
	}
	s.moveTo(at)
	return nil
}

// swap goes to the match that was kept open.
func (s *session) swap() {
	at := s.other
	s.other = nil
	s.moveTo(at)
}

// moveTo makes a table the one that the player is at.
func (s *session) moveTo(at *sitting) {
	if s.here.open() {
		s.other = s.here
	} else {
		s.here.leave()
	}
	if s.here, s.asked = at, nil; s.found == at.id {
		s.found = ""
	}
	s.introduce(at)
}

func (s *session) sit(id match.ID) (*sitting, error) {
	ctx, cancel := s.wish()
	defer cancel()
	seat, err := s.manager.Sit(ctx, id, s.player.ID)
	if err != nil {
		return nil, err
	}
	at := &sitting{id: id, seat: seat, side: seat.Side(), box: seat.Snapshots(), handle: seat}
	return at, at.settle(ctx)
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
	if slices.Contains(s.manager.Of(s.player.ID), id) {
		return s.goTo(id)
	}
	ctx, cancel := s.wish()
	defer cancel()
	spectator, err := s.manager.Watch(ctx, id, s.player.ID)
	if err != nil {
		return err
	}
	at := &sitting{id: id, box: spectator.Snapshots(), handle: spectator}
	if err := at.settle(ctx); err != nil {
		return err
	}
	s.moveTo(at)
	return nil
}

// busy says why the player cannot begin something else here; empty if there is no reason.
func (s *session) busy() string {
	switch {
	case s.here.waiting():
		return "Your private table waits for a guest. Type leave to clear it first."
	case s.here.playing():
		return "You are in a match. Type resign to give it up, or leave to step away from it, first."
	default:
		return ""
	}
}

// step leaves the table for the lobby.
func (s *session) step() {
	s.here.leave()
	s.here, s.asked = nil, nil
	s.follow()
}
