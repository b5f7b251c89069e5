package plain

import (
	"slices"
	"strings"

	"notakto/match"
)

func (s *session) joinCode(words []string) {
	switch {
	case len(words) == 0:
		s.printLine("Type join and the code of the table, such as join K7QX.")
	case s.busy() != "":
		s.printLine(s.busy())
	default:
		s.report(s.join(match.Code(strings.Join(words, "")))) // a code that was heard may be typed letter by letter
	}
}

// join sits down by a code; at one's own table it returns there. A guest's way back may lead to another identity, which
// the queue does not know.
func (s *session) join(code match.Code) error {
	ctx, cancel := s.callContext()
	defer cancel()
	id, player, err := s.client.Join(ctx, s.player, code)
	if err != nil {
		return err
	}
	if player.ID != s.player.ID {
		s.queue.leave()
		s.background = nil
		s.printLine("Welcome back, " + player.Name + ".")
	}
	s.player = player
	return s.goTo(id)
}

// switchTo goes to the match that waits, to the one that is kept open, or to the oldest of the player's own.
func (s *session) switchTo(words []string) {
	mine := s.manager.MatchesOf(s.player.ID)
	if len(words) > 0 {
		if i, ok := number(words[0], len(mine)); ok {
			s.report(s.goTo(mine[i]))
		} else {
			s.printLine("You have no match of that number. Type mine to hear your matches.")
		}
		return
	}
	elsewhere := slices.DeleteFunc(mine, func(id match.ID) bool { return !s.table.isNone() && id == s.table.ID })
	switch {
	case s.found != "":
		id := s.found
		s.found = ""
		s.report(s.goTo(id))
	case !s.backgroundTable.isNone():
		s.switchTables()
	case len(elsewhere) > 0:
		s.report(s.goTo(elsewhere[0]))
	default:
		s.printLine("You have no other match to go to.")
	}
}
