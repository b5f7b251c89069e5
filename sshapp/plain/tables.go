package plain

import (
	"context"
	"errors"
	"slices"
	"strings"

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

// act does something at a table, and says if it was refused. What came of it is in the table's next snapshot.
func (s *session) act(do func(ctx context.Context) error) {
	ctx, cancel := s.player.callContext()
	defer cancel()
	s.out.report(do(ctx))
}

// goTo sits down in a match of the player's own. A match that is on where the player is now stays open.
func (s *session) goTo(id match.ID) error {
	switch {
	case s.tables.current.IsSeated() && s.tables.current.ID == id && !s.tables.current.IsGone():
		s.out.printLine("You are at that table.", s.status())
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
	ctx, cancel := s.player.callContext()
	defer cancel()
	at, err := s.player.client.Sit(ctx, id, s.player.ID)
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
	if slices.Contains(s.player.matches(), id) {
		return s.goTo(id)
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	at, err := s.player.client.Watch(ctx, id, s.player.ID)
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
	s.elsewhere.watch(s.isAtTable)
}

// status is how things stand where the player is.
func (s *session) status() string {
	at := s.tables.current
	switch {
	case at.isNone() && s.queue.IsWaiting():
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

func (s *session) joinCommand(words []string) {
	switch {
	case len(words) == 0:
		s.out.printLine("Type join and the code of the table, such as join K7QX.")
	case s.busy() != "":
		s.out.printLine(s.busy())
	default:
		s.out.report(s.joinByCode(match.Code(strings.Join(words, "")))) // a code may be typed letter by letter
	}
}

// joinByCode sits down by a code; at one's own table it returns there. A guest's way back may lead to another identity,
// which the queue does not know.
func (s *session) joinByCode(code match.Code) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, player, err := s.player.client.Join(ctx, s.player.Player, code)
	if err != nil {
		return err
	}
	if player.ID != s.player.ID {
		s.queue.leave()
		s.elsewhere.forget()
		s.out.printLine("Welcome back, " + player.Name + ".")
	}
	s.player.Player = player
	return s.goTo(id)
}

// goCommand goes to the match that waits, to the one that is kept open, to the one that is lost first by staying away,
// or to the oldest of the player's own.
func (s *session) goCommand(words []string) {
	mine := s.player.matches()
	if len(words) > 0 {
		if i, ok := number(words[0], len(mine)); ok {
			s.out.report(s.goTo(mine[i]))
		} else {
			s.out.printLine("You have no match with that number: type mine to hear your matches.")
		}
		return
	}
	elsewhere := slices.DeleteFunc(s.player.ownMatches(), func(o client.OwnMatch) bool {
		return !s.tables.current.isNone() && o.ID == s.tables.current.ID
	})
	switch {
	case s.tables.found != "":
		id := s.tables.found
		s.tables.found = ""
		s.out.report(s.goTo(id))
	case !s.tables.background.isNone():
		s.switchTables()
	case len(elsewhere) > 0:
		s.out.report(s.goTo(mostUrgent(elsewhere)))
	default:
		s.out.printLine("You have no other match to go to.")
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

// leaveCommand steps away from the table, or out of the queue.
func (s *session) leaveCommand(_ []string) {
	at := s.tables.current
	switch {
	case at.IsInviting():
		s.ask("Close this table? Its code will stop working.", question{(*session).giveUp, "Your table is kept."})
	case at.IsPlaying():
		s.out.printLine("You have left the table.", s.keptText(at), at.resumeHint())
		s.tables.left = at
		s.leaveTable()
	case !at.isNone():
		s.leaveTable()
		next := s.lobbySteps()
		if s.queue.IsWaiting() {
			next = s.status()
		}
		s.out.printLine("You have left the table.", next)
	case s.queue.IsWaiting():
		s.queue.leave()
		s.out.printLine("You have stopped waiting.")
	default:
		s.out.printLine("You are at no table. Type quit to end the session.")
	}
}

// keptText says what becomes of a match that is left.
func (s *session) keptText(at table) string {
	if kept := wording.Kept(at.State, at.Side); kept != "" {
		return kept + ": type " + s.player.wayTo(at.ID) + " to come back."
	}
	return "Your seat is kept: type " + s.player.wayTo(at.ID) +
		" to come back. When it is your turn you have " +
		wording.Count(wording.Seconds(s.cfg.Manager.TimeLimits().ToReturn(at.State, at.Side)), "second", "seconds") +
		" to do so" + wording.LostByAbsence(at.State, at.Side) + "."
}

func (s *session) quitCommand(_ []string) { s.leaveAll() }

// leaveAll ends the session and says what is kept.
func (s *session) leaveAll() {
	s.done = true
	s.out.printLine(s.keptAtEnd(), s.waysBack(), "Goodbye.")
}

// keptAtEnd says what becomes of the player's matches when the session ends; empty if there are none.
func (s *session) keptAtEnd() string {
	limits, own := s.cfg.Manager.TimeLimits(), s.player.matches()
	within := limits.Grace
	if at := s.tables.current; !at.isNone() && slices.Equal(own, []match.ID{at.ID}) {
		within = limits.ToReturn(at.State, at.Side)
	}
	grace := wording.Count(wording.Seconds(within), "second", "seconds")
	switch n := len(own); {
	case n == 0:
		return ""
	case n == 1 && s.tables.current.IsInviting():
		return "Your table is kept for " + grace + "."
	case n == 1 && s.player.areAgainstComputer(own):
		return "Your match is kept for " + s.player.retained() + "."
	case s.player.areAgainstComputer(own):
		return "Your matches are kept for " + s.player.retained() + "."
	case s.player.haveClocks(own):
		return "Your matches go on, and so do their clocks."
	case n == 1:
		return "Your match goes on, and your seat is kept: when it is your turn you have " + grace + " to come back."
	default:
		return "Your " + wording.Count(n, "", "matches") +
			" are on, and your seats are kept: when it is your turn you have " + grace + " to come back."
	}
}

// waysBack reminds a guest of the codes that lead back to the matches that are not over; empty for others.
func (s *session) waysBack() string {
	own := s.player.matches()
	var ways []string
	for _, at := range [3]table{s.tables.current, s.tables.background, s.tables.left} {
		if !at.isNone() && slices.Contains(own, at.ID) {
			ways = append(ways, at.resumeHint())
		}
	}
	return strings.Join(slices.Compact(ways), " ")
}

// stopSession ends the session because its context has ended: the client has gone, or the server ends it, and says
// why.
func (s *session) stopSession() {
	cause := context.Cause(s.ctx)
	if errors.Is(cause, context.Canceled) {
		s.leaveAll()
		return
	}
	queue := ""
	if s.queue.IsWaiting() {
		queue = queueClosed
	}
	s.done, s.end = true, cause
	s.out.printLine(wording.Capital(cause.Error())+".", s.keptAtStop(), s.waysBack(), queue, "Goodbye.")
}

// keptAtStop says what becomes of the player's matches while the server is away; empty if there are none.
func (s *session) keptAtStop() string {
	n := len(s.player.matches())
	if n == 1 && s.tables.current.IsInviting() {
		return "Your table is kept, and its code."
	}
	return wording.KeptAtStop(n)
}

// isAtTable reports whether a match is open in this session.
func (s *session) isAtTable(id match.ID) bool {
	return s.tables.current.IsNeeded() && s.tables.current.ID == id ||
		s.tables.background.IsNeeded() && s.tables.background.ID == id
}
