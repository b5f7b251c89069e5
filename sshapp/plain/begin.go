package plain

import (
	"errors"
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

func (s *session) play(words []string) {
	v, ok := variantOf(words)
	switch {
	case !ok:
		s.say("That is no game here. Type play, play and 1 to 9 boards, or play tictactoe.")
	case s.busy() != "":
		s.say(s.busy())
	default:
		s.seek(v)
	}
}

func (s *session) playTicTacToe([]string) { s.play([]string{"tictactoe"}) }

// computer reads a level, the game and who moves first, in any order.
func (s *session) computer(words []string) {
	side, rest := rules.Nobody, make([]string, 0, len(words))
	for _, word := range words {
		level, err := strategy.ParseLevel(word)
		switch {
		case err == nil:
			s.level = level
		case word == "first":
			side = rules.First
		case word == "second":
			side = rules.Second
		default:
			rest = append(rest, word)
		}
	}
	v, ok := variantOf(rest)
	switch {
	case !ok:
		s.say("That names no match. Type computer, one of " + listText(levelNames()) + ", a number of boards, and first or second, such as computer club 3 first.")
	case s.busy() != "":
		s.say(s.busy())
	default:
		s.playComputer(v, side)
	}
}

func levelNames() []string {
	var names []string
	for _, level := range strategy.Levels() {
		names = append(names, level.String())
	}
	return names
}

func (s *session) playComputer(v rules.Variant, side rules.Side) {
	ctx, cancel := s.wish()
	defer cancel()
	id, err := s.manager.Play(ctx, s.player, v, s.level, side)
	if err != nil {
		s.say(refusal(err))
		return
	}
	s.goTo(id)
}

func (s *session) private(words []string) {
	v, ok := variantOf(words)
	switch {
	case !ok:
		s.say("That is no game here. Type private, private and 1 to 9 boards, or private tictactoe.")
	case s.busy() != "":
		s.say(s.busy())
	default:
		s.openPrivate(v)
	}
}

func (s *session) openPrivate(v rules.Variant) {
	ctx, cancel := s.wish()
	defer cancel()
	id, _, err := s.manager.OpenPrivate(ctx, s.player, v)
	if err != nil {
		s.say(refusal(err))
		return
	}
	s.goTo(id)
}

func (s *session) joinCode(words []string) {
	switch {
	case len(words) == 0:
		s.say("Type join and the code of the table, such as join K7QX.")
	case s.busy() != "":
		s.say(s.busy())
	default:
		code := ""
		for _, word := range words { // a code that was heard may be typed letter by letter
			code += word
		}
		s.join(match.Code(code))
	}
}

// join sits down by a code; at one's own table it returns there. A guest's way back may lead to another identity, which the queue does not
// know.
func (s *session) join(code match.Code) {
	ctx, cancel := s.wish()
	defer cancel()
	id, player, err := s.manager.Join(ctx, s.player, code)
	if err != nil && (!errors.Is(err, match.ErrOwnTable) || id == "") {
		s.say(refusal(err))
		return
	}
	if player.ID != s.player.ID {
		s.queue.cancel()
		s.say("Welcome back, " + player.Name + ".")
	}
	s.player = player
	s.goTo(id)
}

// goOver goes to the match that waits, to the one that is kept open, or to the oldest of the player's own.
func (s *session) goOver(words []string) {
	mine := s.manager.Of(s.player.ID)
	if len(words) > 0 {
		if i, ok := number(words[0], len(mine)); ok {
			s.goTo(mine[i])
		} else {
			s.say("You have no match of that number. Type mine to hear your matches.")
		}
		return
	}
	elsewhere := slices.DeleteFunc(mine, func(id match.ID) bool { return s.here != nil && id == s.here.id })
	switch {
	case s.found != "":
		id := s.found
		s.found = ""
		s.goTo(id)
	case s.other != nil:
		s.swap()
	case len(elsewhere) > 0:
		s.goTo(elsewhere[0])
	default:
		s.say("You have no other match to go to.")
	}
}
