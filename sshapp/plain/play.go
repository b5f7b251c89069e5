package plain

import (
	"cmp"
	"strconv"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

func (s *session) playCommand(words []string) {
	accepts, ok := acceptsOf(words)
	switch {
	case !ok:
		s.printLine("There is no such game: type play, play and 1 to 9 boards, play tictactoe, or play rated.")
	case s.busy() != "":
		s.printLine(s.busy())
	default:
		s.report(s.seekOpponent(accepts))
	}
}

func (s *session) ticTacToeCommand(_ []string) { s.playCommand([]string{"tictactoe"}) }

// computerCommand reads a level, the game and who moves first, in any order.
func (s *session) computerCommand(words []string) {
	chosen := s.nextRung()
	side, rest := rules.Nobody, make([]string, 0, len(words))
	for _, word := range words {
		level, err := strategy.ParseLevel(word)
		switch {
		case err == nil:
			chosen = level
		case word == "first":
			side = rules.First
		case word == "second":
			side = rules.Second
		default:
			rest = append(rest, word)
		}
	}
	terms, ok := termsOf(rest)
	switch {
	case !ok:
		meant := ""
		for _, word := range rest {
			meant = cmp.Or(meant, wording.Suggest("", word, append(wording.LevelNames(strategy.Levels()),
				"first", "second", "boards", "tictactoe")))
			if n, err := strconv.Atoi(word); err == nil && (n < 1 || n > rules.MaxBoards) {
				meant = ": it has 1 to " + strconv.Itoa(rules.MaxBoards) + " boards."
				break
			}
		}
		s.printLine("That is no match against the computer" + cmp.Or(meant, ".") + " Type computer, one of " +
			listText(wording.LevelNames(strategy.Ladder())) +
			", a number of boards, and first or second, such as computer steady 3 first.")
	case s.busy() != "":
		s.printLine(s.busy())
	default:
		s.level = chosen
		s.report(s.playComputer(terms, side))
	}
}

// nextRung returns the level that is offered, by the history too if it can be read.
func (s *session) nextRung() strategy.Level {
	ctx, cancel := s.callContext()
	defer cancel()
	_ = s.client.Recall(ctx, s.cfg.History, s.player)
	return s.client.NextRung(s.level)
}

// playComputer plays a match that may begin with moves of another.
func (s *session) playComputer(terms match.Terms, side rules.Side, moves ...rules.Move) error {
	ctx, cancel := s.callContext()
	defer cancel()
	id, err := s.cfg.Manager.Play(ctx, s.player, terms, cmp.Or(s.level, s.client.NextRung(0)), side, moves...)
	if err != nil {
		return err
	}
	return s.goTo(id)
}

func (s *session) privateCommand(words []string) {
	terms, ok := termsOf(words)
	switch {
	case !ok:
		s.printLine("There is no such game: type private, private and 1 to 9 boards, or private tictactoe.")
	case s.busy() != "":
		s.printLine(s.busy())
	default:
		s.report(s.openPrivate(terms))
	}
}

func (s *session) openPrivate(terms match.Terms) error {
	ctx, cancel := s.callContext()
	defer cancel()
	id, _, err := s.cfg.Manager.OpenPrivate(ctx, s.player, terms)
	if err != nil {
		return err
	}
	return s.goTo(id)
}
