package plain

import (
	"strconv"
	"strings"
	"time"

	"notakto/rules"
	"notakto/sshapp/wording"
)

func (s *session) boardsCommand(words []string) {
	at := s.tables.current
	if at.isNone() || at.IsInviting() {
		s.printLine(s.status())
		return
	}
	if len(words) > 0 {
		s.oneBoard(words[0])
		return
	}
	for i := range at.Variant.Boards() {
		s.printLine(boardText(at.Position, i))
	}
	s.printLine(at.turnText())
}

func (s *session) oneBoard(name string) {
	for i := range s.tables.current.Variant.Boards() {
		if strings.EqualFold(name, rules.BoardName(i)) {
			s.printLine(boardText(s.tables.current.Position, i))
			return
		}
	}
	s.printLine("There is no such board: the boards are A to " + rules.BoardName(s.tables.current.Variant.Boards()-1) +
		".")
}

// movesCommand lists the moves with who made them.
func (s *session) movesCommand(_ []string) {
	at := s.tables.current
	switch {
	case at.isNone():
		s.printLine(s.status())
		return
	case len(at.Moves) == 0:
		s.printLine("No move has been made.")
		return
	}
	shown := make([]string, len(at.Moves))
	for i, m := range at.Moves {
		shown[i] = strconv.Itoa(i+1) + ", " + at.Variant.FormatMove(m) + " by " + at.who(moverOf(i+1))
	}
	s.printLine(strings.Join(shown, "; ") + ".")
}

func (s *session) turnCommand(_ []string) { s.printLine(s.status()) }

func (s *session) whoCommand(_ []string) {
	at := s.tables.current
	if at.isNone() {
		s.printLine("You are "+s.player.Name+".", s.status())
		return
	}
	shown := []string{"You are " + s.player.Name + "."}
	for _, side := range [2]rules.Side{rules.First, rules.Second} {
		shown = append(shown, at.sideText(side, s.cfg.Manager.Now()))
	}
	if at.Spectators > 0 {
		shown = append(shown, wording.Count(at.Spectators, "person is watching.", "people are watching."))
	}
	s.printLine(append(shown, at.resumeHint(), at.nameText())...)
	s.printLine(wording.OpeningSeed(at.State))
}

// nameText is what a match that is over is called, to see it again later.
func (at table) nameText() string {
	if !at.Over() {
		return ""
	}
	return "This match is called " + string(at.ID) + ": watch " + string(at.ID) + " tells it again."
}

// sideText is who plays a side.
func (at table) sideText(side rules.Side, now time.Time) string {
	seatState, order := at.SeatState(side), " first."
	if side == rules.Second {
		order = " second."
	}
	switch {
	case !seatState.Taken:
		return "No opponent has come yet to move" + order
	case side == at.Side:
		return "You move" + strings.TrimSuffix(order, ".") + markText(at.Variant, at.Side) + "."
	case seatState.Player.IsComputer():
		return "The computer, level " + seatState.Player.Level.String() + ", moves" + order
	case !seatState.Present:
		return join(seatState.Player.Name+" moves"+order, at.awayText(side, now))
	default:
		return seatState.Player.Name + " moves" + order
	}
}

func (s *session) againCommand(_ []string) {
	s.printLine(s.out.lastLine)
}

func (s *session) clockCommand(_ []string) {
	switch at := s.tables.current; {
	case at.isNone() || !at.Started():
		s.printLine("There is no match on here.")
	case at.Clock.IsNone():
		s.printLine("This match has no clock.")
	default:
		s.printLine(wording.Capital(wording.Clock(at.Clock))+".", at.clocks(s.cfg.Manager.Now()))
	}
}
