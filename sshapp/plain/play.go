package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// playCommand seeks an opponent. Words that name the computer, a level or a private table run those commands.
func (s *session) playCommand(words []string) {
	var options lobby.Options
	words = slices.DeleteFunc(gameWords(words), func(word string) bool {
		if word == "anyway" {
			options.Forgives = true
			return true
		}
		meets, ok := lobby.ParseMeets(word)
		if ok {
			options.Meets = meets
		}
		return ok
	})
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
	if !ok {
		s.out.printLine("Unknown game. Try: play, play 3, play tictactoe, play rated, or computer novice.")
		return
	}
	if options.Forgives && s.queue.IsWaiting() && s.tables.busyText() == "" {
		if len(words) == 0 {
			accepts = s.queue.Accepts
		}
		s.queue.leavePlace()
	}
	s.unlessBusy(func() error { return s.seekOpponent(accepts, options) })
}

// unlessBusy calls begin and prints its error. For a busy player it prints busyText instead.
func (s *session) unlessBusy(begin func() error) {
	if why := s.tables.busyText(); why != "" {
		s.out.printLine(why)
		return
	}
	s.out.report(begin())
}

// computerCommand takes a level, the game and "first" or "second", in any order. The default level is that of
// nextLevel.
func (s *session) computerCommand(words []string) {
	chosen := s.nextLevel()
	side, rest := rules.NoSide, []string(nil)
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
		s.out.printLine("That is not a match against the computer" + cmp.Or(meant, ".") + " Type computer, one of " +
			listText(wording.LevelNames(strategy.Ladder())) +
			", a number of boards, and first or second, such as computer steady 3 first.")
		return
	}
	s.unlessBusy(func() error {
		s.lastLevel = chosen
		return s.playComputer(terms, side)
	})
}

// nextLevel returns the level to offer. Without a readable history it depends on this session's matches only.
func (s *session) nextLevel() strategy.Level {
	ctx, cancel := s.player.callContext()
	defer cancel()
	_ = s.player.client.LoadBeatenLevels(ctx, s.cfg.History, s.player.Player)
	return s.player.client.NextRung(s.lastLevel)
}

// playComputer opens a match against the computer. The match may begin with moves of another match.
func (s *session) playComputer(terms match.Terms, side rules.Side, moves ...rules.Move) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, err := s.player.client.PlayComputer(ctx, s.player.Player, terms, s.lastLevel, side, moves...)
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

// seekOpponent takes a place in the queue after the last place is gone. If the last place has found an opponent, it
// enters that match instead.
func (s *session) seekOpponent(accepts []match.Terms, options lobby.Options) error {
	if s.queue.IsWaiting() {
		s.out.printLine("You are waiting already, for "+wording.Accepts(s.queue.Accepts)+".",
			"Type leave to leave the queue first.")
		return nil
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	found, err := s.queue.awaitGone(ctx)
	if s.goToFound(found); err != nil || s.tables.busyText() != "" {
		return err
	}
	return s.queue.seek(ctx, accepts, options)
}

func (s *session) goToFound(id match.ID) {
	if id != "" {
		s.tables.opponentFound(id)
	}
}

func (s *session) joinCommand(words []string) {
	if len(words) == 0 {
		s.out.printLine("Type join and the code of the table, such as join K7QXHW.")
		return
	}
	// A code may be typed letter by letter.
	s.unlessBusy(func() error { return s.joinByCode(match.Code(strings.Join(words, ""))) })
}

// joinByCode takes a seat by a code. The code of the player's own table leads back there. A guest's code can change
// the identity of the session. The place in the queue belongs to the old identity and is given up.
func (s *session) joinByCode(code match.Code) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, player, err := s.player.client.Join(ctx, s.player.Player, code)
	if err != nil {
		return err
	}
	if player.ID != s.player.ID {
		s.queue.leavePlace()
		s.elsewhere.Matches, s.elsewhere.unacknowledged = nil, nil
		s.out.printLine("Welcome back, " + player.Name + ".")
	}
	s.player.become(player)
	return s.tables.goTo(id)
}

// watchCommand watches the busiest match, one by its number in the last list, or one by its ID.
func (s *session) watchCommand(words []string) {
	s.unlessBusy(func() error {
		switch {
		case len(words) == 0:
			return s.tables.watch("")
		case len(words[0]) > 3: // every match ID is longer, and the list is shorter than 1000
			return s.tables.watch(match.ID(words[0]))
		}
		i, ok := parseIndex(words[0], len(s.lists.lastList))
		if !ok {
			s.out.printLine("There is no match with that number: type matches to hear the list.")
			return nil
		}
		return s.tables.watch(s.lists.lastList[i])
	})
}

// gameWords strips the dashes of flags, and drops the words board, boards and clock, since the word beside them is
// enough.
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

// parseAccepts parses the terms that the player accepts, the preferred ones first. Without a game it returns
// [match.DefaultAccepted] with the named clock.
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

// parseTerms parses a number of boards or tictactoe, and a clock. Without words it returns [match.DefaultTerms].
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
