package plain

import (
	"strconv"
	"strings"
	"time"

	"notakto/rules"
	"notakto/sshapp/wording"
)

func (s *session) boards(words []string) {
	at := s.here
	if at == nil || at.waiting() {
		s.say(s.status())
		return
	}
	if len(words) > 0 {
		s.oneBoard(words[0])
		return
	}
	for i := range at.Variant.Boards() {
		s.say(boardText(at.Position, i))
	}
	s.say(at.turnText())
}

func (s *session) oneBoard(name string) {
	for i := range s.here.Variant.Boards() {
		if strings.EqualFold(name, rules.BoardName(i)) {
			s.say(boardText(s.here.Position, i))
			return
		}
	}
	s.say("There is no such board: the boards are A to " + rules.BoardName(s.here.Variant.Boards()-1) + ".")
}

// moves tells the moves with who made them.
func (s *session) moves([]string) {
	at := s.here
	switch {
	case at == nil:
		s.say(s.status())
		return
	case len(at.Moves) == 0:
		s.say("No move has been made.")
		return
	}
	told := make([]string, len(at.Moves))
	for i, m := range at.Moves {
		told[i] = strconv.Itoa(i+1) + ", " + at.Variant.FormatMove(m) + " by " + at.who(moverOf(i+1))
	}
	s.say(strings.Join(told, "; ") + ".")
}

func (s *session) turn([]string) { s.say(s.status()) }

func (s *session) who([]string) {
	at := s.here
	if at == nil {
		s.say("You are "+s.player.Name+".", s.status())
		return
	}
	told := []string{"You are " + s.player.Name + "."}
	for _, side := range [2]rules.Side{rules.First, rules.Second} {
		told = append(told, at.sideText(side, s.manager.Now()))
	}
	switch {
	case at.Spectators > 1:
		told = append(told, wording.Count(at.Spectators, "", "look on."))
	case at.Spectators == 1:
		told = append(told, "1 looks on.")
	}
	s.say(append(told, at.wayBack(), at.nameText())...)
}

// nameText is what a match that is over is called, to see it again later.
func (at *sitting) nameText() string {
	if !at.Over() {
		return ""
	}
	return "This match is called " + string(at.id) + ": watch " + string(at.id) + " tells it again."
}

// sideText is who plays a side.
func (at *sitting) sideText(side rules.Side, now time.Time) string {
	chair, order := at.Chair(side), " first."
	if side == rules.Second {
		order = " second."
	}
	switch {
	case !chair.Taken:
		return "Nobody has come yet to move" + order
	case side == at.side:
		return "You move" + strings.TrimSuffix(order, ".") + markText(at.Variant, at.side) + "."
	case chair.Player.IsComputer():
		return "The computer, level " + chair.Player.Level.String() + ", moves" + order
	case !chair.Present:
		return join(chair.Player.Name+" moves"+order, at.awayText(side, now))
	default:
		return chair.Player.Name + " moves" + order
	}
}

func (s *session) again([]string) {
	s.say(s.voice.spoken)
}
