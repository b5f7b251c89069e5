package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// playCommand waits for an opponent; words that name the computer or a private table lead there.
func (s *session) playCommand(words []string) {
	isAnyway := func(word string) bool { return word == "anyway" }
	words = gameWords(words)
	forgives := slices.ContainsFunc(words, isAnyway)
	words = slices.DeleteFunc(words, isAnyway)
	for i, word := range words {
		rest := slices.Delete(slices.Clone(words), i, i+1)
		switch _, err := strategy.ParseLevel(word); {
		case err == nil:
			s.computerCommand(words)
			return
		case word == "computer":
			s.computerCommand(rest)
			return
		case word == "private":
			s.privateCommand(rest)
			return
		}
	}
	accepts, ok := parseAccepts(words)
	if forgives && s.queue.IsWaiting() && s.tables.busy() == "" {
		if len(words) == 0 {
			accepts = s.queue.Accepts
		}
		s.queue.leave()
	}
	if !ok {
		s.out.printLine("Unknown game. Try: play, play 3, play tictactoe, play rated, or computer novice.")
		return
	}
	s.unlessBusy(func() error { return s.seekOpponent(accepts, forgives) })
}

// unlessBusy calls begin unless the player is busy at a table. If nothing was begun, it prints why.
func (s *session) unlessBusy(begin func() error) {
	if why := s.tables.busy(); why != "" {
		s.out.printLine(why)
		return
	}
	s.out.report(begin())
}

// computerCommand reads a level, the game and who moves first, in any order. Without a level it takes that of nextRung.
func (s *session) computerCommand(words []string) {
	chosen := s.nextRung()
	side, rest := rules.Nobody, []string(nil)
	for _, word := range gameWords(words) {
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
	terms, ok := parseTerms(rest)
	if !ok {
		meant := ""
		for _, word := range rest {
			meant = cmp.Or(meant, wording.Suggest("", word, append(wording.LevelNames(strategy.Levels()),
				"first", "second", "boards", "tictactoe")))
			if n, err := strconv.Atoi(word); err == nil && (n < 1 || n > rules.MaxBoards) {
				meant = ": it has 1 to " + strconv.Itoa(rules.MaxBoards) + " boards."
				break
			}
		}
		s.out.printLine("That is no match against the computer" + cmp.Or(meant, ".") + " Type computer, one of " +
			listText(wording.LevelNames(strategy.Ladder())) +
			", a number of boards, and first or second, such as computer steady 3 first.")
		return
	}
	s.unlessBusy(func() error {
		s.level = chosen
		return s.playComputer(terms, side)
	})
}

// nextRung returns the level to offer. It takes the player's history into account if the history can be read.
func (s *session) nextRung() strategy.Level {
	ctx, cancel := s.player.callContext()
	defer cancel()
	_ = s.player.client.Recall(ctx, s.cfg.History, s.player.Player)
	return s.player.client.NextRung(s.level)
}

// playComputer opens a match against the computer. The match may begin with moves of another match.
func (s *session) playComputer(terms match.Terms, side rules.Side, moves ...rules.Move) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, err := s.player.client.Play(ctx, s.player.Player, terms, s.level, side, moves...)
	if err != nil {
		return err
	}
	return s.tables.goTo(id)
}

func (s *session) privateCommand(words []string) {
	terms, ok := parseTerms(gameWords(words))
	if !ok {
		s.out.printLine("Unknown game. Try: private, private 3, or private tictactoe.")
		return
	}
	s.unlessBusy(func() error { return s.openPrivate(terms) })
}

func (s *session) openPrivate(terms match.Terms) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, _, err := s.player.client.OpenPrivate(ctx, s.player.Player, terms)
	if err != nil {
		return err
	}
	return s.tables.goTo(id)
}

// seekOpponent takes a place in the queue once the last place is gone. If the last place has found an opponent, the
// player goes to that match instead. A player may forgive opponents who did not move in time.
func (s *session) seekOpponent(accepts []match.Terms, forgives bool) error {
	if s.queue.IsWaiting() {
		s.out.printLine("You are waiting already, for "+wording.Accepts(s.queue.Accepts)+".",
			"Type leave to give that place up first.")
		return nil
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	found, err := s.queue.awaitGone(ctx)
	if s.goToFound(found); err != nil || s.tables.busy() != "" {
		return err
	}
	return s.queue.seek(ctx, accepts, forgives)
}

// goToFound goes to the match with an opponent that was found, if id is not "".
func (s *session) goToFound(id match.ID) {
	if id != "" {
		s.tables.opponentFound(id)
	}
}

func (s *session) joinCommand(words []string) {
	if len(words) == 0 {
		s.out.printLine("Type join and the code of the table, such as join K7QX.")
		return
	}
	// a code may be typed letter by letter
	s.unlessBusy(func() error { return s.joinByCode(match.Code(strings.Join(words, ""))) })
}

// joinByCode takes a seat by a code. The code of the player's own table leads back there. A guest's code may lead to
// another identity. Then the player leaves the queue, which has the old identity.
func (s *session) joinByCode(code match.Code) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, player, err := s.player.client.Join(ctx, s.player.Player, code)
	if err != nil {
		return err
	}
	if player.ID != s.player.ID {
		s.queue.leave()
		s.elsewhere.Matches, s.elsewhere.told = nil, nil
		s.out.printLine("Welcome back, " + player.Name + ".")
	}
	s.player.Player = player
	return s.tables.goTo(id)
}

// watchCommand watches the busiest match, one by its number in the last list, or one by its ID.
func (s *session) watchCommand(words []string) {
	s.unlessBusy(func() error {
		switch {
		case len(words) == 0:
			return s.tables.watch("")
		case len(words[0]) > 3:
			return s.tables.watch(match.ID(words[0]))
		}
		i, ok := number(words[0], len(s.lists.numbered))
		if !ok {
			s.out.printLine("There is no match with that number: type matches to hear the list.")
			return nil
		}
		return s.tables.watch(s.lists.numbered[i])
	})
}

// gameWords returns words that name a game. It removes the hyphens and dashes with which flags begin. It removes the
// words board, boards and clock, which add nothing to the word beside them.
func gameWords(words []string) (all []string) {
	for _, word := range words {
		switch word = strings.TrimLeft(word, "-–—"); word {
		case "", "board", "boards", "clock":
		default:
			all = append(all, word)
		}
	}
	return all
}

// parseAccepts reads the terms that the player accepts, the preferred ones first. Without a game it returns
// [match.DefaultAccepted], with the clock if one was named.
func parseAccepts(words []string) (accepts []match.Terms, ok bool) {
	if slices.Equal(words, []string{"rated"}) {
		return []match.Terms{match.RatedTerms(match.PeoplePool)}, true
	}
	clock := match.Clock{}
	for _, word := range words {
		if c, err := match.ParseClock(word); err == nil {
			clock = c
			continue
		}
		terms, ok := parseTerms([]string{word})
		if !ok {
			return nil, false
		}
		if !slices.Contains(accepts, terms) {
			accepts = append(accepts, terms)
		}
	}
	if len(accepts) == 0 {
		accepts = match.DefaultAccepted()
	}
	for i := range accepts {
		accepts[i].Clock = clock
	}
	return accepts, true
}

// parseTerms reads a number of boards or tictactoe, and a clock. Without words it returns [match.DefaultTerms].
func parseTerms(words []string) (match.Terms, bool) {
	terms := match.DefaultTerms()
	for _, word := range words {
		clock, err := match.ParseClock(word)
		switch {
		case word == "tictactoe" || word == "tic-tac-toe":
			terms.Variant = rules.TicTacToe()
		case err == nil:
			terms.Clock = clock
		case len(word) == 1 && isDigit(word[0]):
			if terms.Variant, err = rules.Notakto(int(word[0] - '0')); err != nil {
				return terms, false
			}
		default:
			return terms, false
		}
	}
	return terms, true
}
