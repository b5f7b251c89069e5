package plain

import (
	"slices"
	"strings"

	"notakto/match"
	"notakto/sshapp/client"
)

func (s *session) joinCommand(words []string) {
	switch {
	case len(words) == 0:
		s.printLine("Type join and the code of the table, such as join K7QX.")
	case s.busy() != "":
		s.printLine(s.busy())
	default:
		s.report(s.joinByCode(match.Code(strings.Join(words, "")))) // a code may be typed letter by letter
	}
}

// joinByCode sits down by a code; at one's own table it returns there. A guest's way back may lead to another identity,
// which the queue does not know.
func (s *session) joinByCode(code match.Code) error {
	ctx, cancel := s.callContext()
	defer cancel()
	id, player, err := s.client.Join(ctx, s.player, code)
	if err != nil {
		return err
	}
	if player.ID != s.player.ID {
		s.queue.leave()
		s.away.matches = nil
		s.printLine("Welcome back, " + player.Name + ".")
	}
	s.player = player
	return s.goTo(id)
}

// goCommand goes to the match that waits, to the one that is kept open, to the one that is lost first by staying away,
// or to the oldest of the player's own.
func (s *session) goCommand(words []string) {
	mine := s.cfg.Manager.MatchesOf(s.player.ID)
	if len(words) > 0 {
		if i, ok := number(words[0], len(mine)); ok {
			s.report(s.goTo(mine[i]))
		} else {
			s.printLine("You have no match with that number: type mine to hear your matches.")
		}
		return
	}
	elsewhere := slices.DeleteFunc(s.client.OwnMatches(s.player.ID), func(o client.OwnMatch) bool {
		return !s.tables.current.isNone() && o.ID == s.tables.current.ID
	})
	switch {
	case s.tables.found != "":
		id := s.tables.found
		s.tables.found = ""
		s.report(s.goTo(id))
	case !s.tables.background.isNone():
		s.switchTables()
	case len(elsewhere) > 0:
		s.report(s.goTo(mostUrgent(elsewhere)))
	default:
		s.printLine("You have no other match to go to.")
	}
}

// mostUrgent is the match that is lost first by staying away, or the first of all if no time runs.
func mostUrgent(own []client.OwnMatch) match.ID {
	urgent := own[0]
	for _, o := range own[1:] {
		if at := o.LostAt(); !at.IsZero() && (urgent.LostAt().IsZero() || at.Before(urgent.LostAt())) {
			urgent = o
		}
	}
	return urgent.ID
}
