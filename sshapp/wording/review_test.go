package wording_test

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// solver knows by the rules alone which positions the side to move wins.
type solver map[rules.Position]bool

func (s solver) wins(p rules.Position) bool {
	if p.Outcome().IsOver() {
		return p.Outcome().Winner == p.Turn()
	}
	won, known := s[p]
	if !known {
		won = slices.ContainsFunc(p.LegalMoves(), func(m rules.Move) bool { return !s.wins(play(p, m)) })
		s[p] = won
	}
	return won
}

func play(p rules.Position, m rules.Move) rules.Position {
	next, err := p.Play(m)
	if err != nil {
		panic(err)
	}
	return next
}

// fact is a kind of claim in a review, with the condition for its truth. The position of a claim is a lost one for
// the side to move.
type fact struct {
	claim *regexp.Regexp
	holds func(s solver, p rules.Position, words []string) bool
}

// lossReasons returns the reasons why a position is lost.
func lossReasons() []fact {
	return []fact{
		{regexp.MustCompile(`^every free cell kills (\w)$`), func(_ solver, p rules.Position, words []string) bool {
			return p.LiveBoards() == 1 && !slices.ContainsFunc(p.LegalMoves(), func(m rules.Move) bool {
				return rules.BoardName(int(m.Board)) != words[1] || !play(p, m).IsDead(int(m.Board))
			})
		}},
		{regexp.MustCompile(`^each safe cell of (\w) has an answer$`),
			func(s solver, p rules.Position, words []string) bool {
				return p.LiveBoards() == 1 && hasAnswers(s, p, func(m rules.Move) bool {
					return rules.BoardName(int(m.Board)) == words[1]
				})
			}},
		{regexp.MustCompile(`^(\w) and (\w) are alike, and a move on one has an answer on the other$`),
			func(s solver, p rules.Position, words []string) bool {
				return p.LiveBoards() == 2 && words[1] != words[2] && isAnswered(s, p, isOnAnother)
			}},
		{regexp.MustCompile(`^the boards are alike in pairs, such as (\w) and (\w), and a move on one has an answer ` +
			`on its twin$`),
			func(s solver, p rules.Position, words []string) bool {
				return p.LiveBoards()%2 == 0 && words[1] != words[2] && isAnswered(s, p, isOnAnother)
			}},
		{regexp.MustCompile(`^an even number of empty boards is left$`),
			func(_ solver, p rules.Position, _ []string) bool {
				for i := range p.Variant().Boards() {
					if !p.IsDead(i) && p.Crosses(i) != 0 {
						return false
					}
				}
				return p.LiveBoards()%2 == 0 && p.LiveBoards() > 0
			}},
		{regexp.MustCompile(`^an odd number of boards is left, none with a safe cell$`),
			func(_ solver, p rules.Position, _ []string) bool {
				return p.LiveBoards()%2 == 1 && !slices.ContainsFunc(p.LegalMoves(), isSafe(p))
			}},
		{regexp.MustCompile(`^every (safe )?move has an answer on (\w|its own board|the other board)$`),
			func(s solver, p rules.Position, words []string) bool {
				return isAnswered(s, p, func(m, answer rules.Move) bool {
					switch {
					case words[1] != "" && !isSafe(p)(m):
						return true
					case words[2] == "its own board":
						return answer.Board == m.Board
					case words[2] == "the other board":
						return answer.Board != m.Board && p.LiveBoards() == 2
					}
					return rules.BoardName(int(answer.Board)) == words[2]
				})
			}},
		{regexp.MustCompile(`^every move has an answer( on another board)?, such as (\w\d) after (\w\d)$`),
			func(s solver, p rules.Position, words []string) bool {
				return isAnswered(s, p, func(m, answer rules.Move) bool {
					return (words[1] == "" || answer.Board != m.Board) &&
						(m.String() != words[3] || answer.String() == words[2])
				})
			}},
	}
}

func isSafe(p rules.Position) func(rules.Move) bool {
	return func(m rules.Move) bool { return !play(p, m).IsDead(int(m.Board)) }
}

func isOnAnother(m, answer rules.Move) bool { return answer.Board != m.Board }

// hasAnswers reports whether every move satisfies isKind and has a winning answer, except moves that end the game.
func hasAnswers(s solver, p rules.Position, isKind func(rules.Move) bool) bool {
	return isAnswered(s, p, func(m, _ rules.Move) bool { return isKind(m) })
}

// isAnswered reports whether every move has a winning answer that satisfies isKind, except moves that end the game.
func isAnswered(s solver, p rules.Position, isKind func(m, answer rules.Move) bool) bool {
	return !slices.ContainsFunc(p.LegalMoves(), func(m rules.Move) bool {
		next := play(p, m)
		return !next.Outcome().IsOver() && !slices.ContainsFunc(next.LegalMoves(), func(answer rules.Move) bool {
			return isKind(m, answer) && s.loses(play(next, answer))
		})
	})
}

// loses asks the rules alone on one and two boards. On more boards, the strategy is faster, and has its own test.
func (s solver) loses(p rules.Position) bool {
	if p.LiveBoards() <= 2 {
		return !s.wins(p)
	}
	return strategy.Evaluate(p) == strategy.Loss
}

// After each answer to the puzzles of the first 400 days, the player reads a true reason.
func TestReasonsOfDailyPuzzlesAreTrue(t *testing.T) {
	s, said := solver{}, map[string]int{}
	for day := 1; day <= 400; day++ {
		all, err := puzzle.Day(day)
		testkit.OK(t, err)
		for _, p := range all {
			for _, m := range strategy.Analyse(p.Position()).WinningMoves() {
				because := wording.AnswersReason(play(p.Position(), m))
				checkBecause(t, s, play(p.Position(), m), because)
				said[regexp.MustCompile(`\b[A-I]\d?\b`).ReplaceAllString(because, "_")]++
			}
		}
	}
	if t.Log(said); len(said) < 9 {
		t.Errorf("only these reasons were given: %v", said)
	}
}

func checkBecause(t *testing.T, s solver, p rules.Position, because string) {
	t.Helper()
	for _, f := range lossReasons() {
		if words := f.claim.FindStringSubmatch(because); words != nil {
			if !f.holds(s, p, words) {
				t.Fatalf("%v: %q is not true", p, because)
			}
			return
		}
	}
	t.Fatalf("%v: no test for %q", p, because)
}

// checkReview checks every claim of a review by the rules, and fails at an unknown claim.
func checkReview(t *testing.T, s solver, r strategy.MoveReview, text string) {
	t.Helper()
	p, before := r.PositionBefore, s.wins(r.PositionBefore)
	after := r.PositionAfter
	mistake := regexp.MustCompile(
		`^A slip\. (?:Only (\w+) won|(\w+) was one of (\d+) winning moves)(?:: then (.*?))?\.` +
			`(?: Now (\w+) wins\.)?$`)
	rare := regexp.MustCompile(`^(Every|The only|One of (\d+)) moves?(?: that)? wins?(?:: now (.*))?\.$`)
	lost := regexp.MustCompile(`^Lost by now: (.*)\.$`)
	if words := mistake.FindStringSubmatch(text); words != nil {
		best := move(t, p, words[1]+words[2])
		number, _ := strconv.Atoi(cmp.Or(words[3], "1"))
		winning := winners(s, p)
		if !before || slices.Contains(winning, r.Move) || !slices.Contains(winning, best) ||
			len(winning) != number {
			t.Fatalf("%v: %q, but the moves that win are %v", p, text, winning)
		}
		if words[4] != "" {
			checkBecause(t, s, play(p, best), words[4])
		}
		if words[5] != "" && s.wins(play(after, move(t, after, words[5]))) {
			t.Fatalf("%v: %q, but it does not", p, text)
		}
		return
	}
	if words := rare.FindStringSubmatch(text); words != nil {
		winning := winners(s, p)
		n, _ := strconv.Atoi(cmp.Or(words[2], "1"))
		if words[1] == "Every" {
			n = len(p.LegalMoves())
		}
		if !slices.Contains(winning, r.Move) || len(winning) != n {
			t.Fatalf("%v: %q, but the moves that win are %v", p, text, winning)
		}
		if words[3] != "" {
			checkBecause(t, s, after, words[3])
		}
		return
	}
	words := lost.FindStringSubmatch(text)
	if words == nil || before {
		t.Fatalf("%v: no test for %q", p, text)
	}
	if words[1] != "every move loses against perfect play" {
		checkBecause(t, s, p, words[1])
	}
}

func winners(s solver, p rules.Position) []rules.Move {
	return slices.DeleteFunc(p.LegalMoves(), func(m rules.Move) bool { return s.wins(play(p, m)) })
}

func move(t *testing.T, p rules.Position, text string) rules.Move {
	t.Helper()
	m, err := p.Variant().ParseMove(text)
	testkit.OK(t, err)
	return m
}

// The reviews are of random games on one and two boards, and on a dead third board besides.
func TestReviewsAreTrue(t *testing.T) {
	rng, s := rand.New(rand.NewPCG(4, 4)), solver{}
	said := map[string]int{}
	for game := range 200 {
		v, err := rules.Notakto(1 + game%2)
		testkit.OK(t, err)
		var moves []rules.Move
		for p := v.Start(); !p.Outcome().IsOver(); {
			legal := p.LegalMoves()
			m := legal[rng.IntN(len(legal))]
			moves, p = append(moves, m), play(p, m)
		}
		for _, r := range strategy.Review(v.Start(), moves) {
			text := wording.Review(r)
			checkReview(t, s, r, text)
			said[text[:6]]++
			rule := wording.RuleOfThumb(r)
			if end, isRule := strings.CutPrefix(rule, "Rule of thumb: "); isRule &&
				!slices.Contains(wording.RulesOfThumb(), wording.Capital(end)) {
				t.Errorf("%q is not among the rules", rule)
			}
			said["rule "+rule]++
			checkTheory(t, s, r)
		}
	}
	for _, what := range []string{"A slip", "Lost b", "Every ", "The on", "One of"} {
		if said[what] == 0 {
			t.Errorf("no review began with %q", what)
		}
	}
	t.Log(said)
}

// checkTheory checks that the theory and the rules name one winner.
func checkTheory(t *testing.T, s solver, r strategy.MoveReview) {
	t.Helper()
	lines := wording.Theory(r)
	positions := []rules.Position{r.PositionBefore, r.PositionAfter}
	if r.IsMistake() {
		positions = append(positions, play(r.PositionBefore, r.Clearest()))
	}
	for i, p := range positions {
		want := ", so the player to move loses."
		switch {
		case p.Outcome().IsOver():
			want = ", and the match is over."
		case s.wins(p):
			want = ", so the player to move wins."
		}
		if !strings.HasSuffix(lines[i], want) {
			t.Fatalf("%v: %q, want %s", p, lines[i], want)
		}
	}
}

// A rule of thumb appears only if the best move follows it.
func TestRulesOfThumb(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/1: 5": "Rule of thumb: on one empty board, take the centre.",
		"notakto/1: 1": "Rule of thumb: on one empty board, take the centre.",
		"notakto/3: A5": "Rule of thumb: with an odd number of empty boards, the player to move " +
			"can win.",
		"notakto/1: 1 2 6 9":           "Rule of thumb: on the last board, have an answer ready for every safe move.",
		"notakto/2: A1 B1 A3 B3 A7 B9": "", // alike in pairs wins here, but is no general rule
		"notakto/3: A1 A2 A3": "Rule of thumb: with an even number of empty boards, let the other player " +
			"start.",
		"notakto/2: A5": "", // lost with every move
		"tictactoe: 5":  "",
	} {
		g, err := rules.ParseGame(game)
		testkit.OK(t, err)
		reviews := strategy.Review(g.Variant.Start(), g.Moves)
		testkit.Equal(t, wording.RuleOfThumb(reviews[len(reviews)-1]), want, game)
	}
}

// A tip used to recommend leaving boards alike in pairs, which loses with 84 of the 230 live boards. Each rule of
// thumb must hold in all positions that it mentions.
func TestRulesOfThumbAreTrue(t *testing.T) {
	checks := map[string]func(*testing.T){
		"With an odd number of empty boards, the player to move can win.": func(t *testing.T) {
			checkEmptyBoards(t, 1, strategy.Win)
		},
		"With an even number of empty boards, let the other player start.": func(t *testing.T) {
			checkEmptyBoards(t, 2, strategy.Loss)
		},
		"On one empty board, take the centre.":                         checkCenter,
		"On the last board, have an answer ready for every safe move.": checkAnswers,
		"On the last board, count the safe cells and leave none.":      checkNoSafeCell,
	}
	for _, rule := range wording.RulesOfThumb() {
		check, known := checks[rule]
		if !known {
			t.Errorf("no test for %q", rule)
			continue
		}
		t.Run(rule, check)
	}
	testkit.Equal(t, len(checks), len(wording.RulesOfThumb()), wording.RulesOfThumb())
}

// checkEmptyBoards checks the winner on least empty boards, on two more and so on, alone and beside a dead board.
func checkEmptyBoards(t *testing.T, least int, want strategy.Verdict) {
	t.Helper()
	for boards := least; boards <= rules.MaxBoards; boards += 2 {
		empty := slices.Repeat([]string{"........."}, boards)
		testkit.Equal(t, strategy.Evaluate(position(t, empty...)), want, boards)
		if boards == rules.MaxBoards {
			continue
		}
		testkit.Equal(t, strategy.Evaluate(position(t, append(empty, "XXX......")...)), want, boards)
	}
}

func checkCenter(t *testing.T) {
	for _, dead := range [][]string{nil, {"XXX......"}} {
		p := position(t, append(dead, ".........")...)
		center := rules.Move{Board: p.LegalMoves()[0].Board, Cell: 5}
		if got := winners(solver{}, p); !slices.Equal(got, []rules.Move{center}) {
			t.Errorf("%v: %v wins", p, got)
		}
	}
}

// checkAnswers checks positions in which every safe move has an answer that leaves no safe cell. The side to move
// loses.
func checkAnswers(t *testing.T) {
	s, seen := solver{}, 0
	for _, p := range liveBoards(t) {
		unanswered := func(m rules.Move) bool {
			next := play(p, m)
			return !slices.ContainsFunc(safeMoves(next), func(answer rules.Move) bool {
				return len(safeMoves(play(next, answer))) == 0
			})
		}
		if safe := safeMoves(p); len(safe) > 0 && !slices.ContainsFunc(safe, unanswered) {
			if seen++; s.wins(p) {
				t.Errorf("%v: every safe move has an answer, and the player to move wins", p)
			}
		}
	}
	if seen == 0 {
		t.Error("the rule speaks of no position")
	}
}

// checkNoSafeCell checks that a safe move wins if it leaves no safe cell.
func checkNoSafeCell(t *testing.T) {
	s, seen := solver{}, 0
	for _, p := range liveBoards(t) {
		for _, m := range safeMoves(p) {
			if next := play(p, m); len(safeMoves(next)) == 0 {
				if seen++; s.wins(next) {
					t.Errorf("%v: %v leaves no safe cell, and does not win", p, m)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("the rule speaks of no position")
	}
}

// liveBoards returns the positions of one live board.
func liveBoards(t *testing.T) []rules.Position {
	t.Helper()
	var all []rules.Position
	for crosses := range 1 << 9 {
		board := make([]byte, 9)
		for i := range board {
			board[i] = ".X"[crosses>>i&1]
		}
		p, err := rules.ParsePosition(string(board)) // an error for two lines before the last cross
		if err == nil && !p.Outcome().IsOver() {
			all = append(all, p)
		}
	}
	if len(all) != 230 {
		t.Fatalf("%d boards are alive", len(all))
	}
	return all
}

func safeMoves(p rules.Position) []rules.Move { return slices.DeleteFunc(p.LegalMoves(), p.Kills) }

func position(t *testing.T, boards ...string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(strings.Join(boards, "/"))
	testkit.OK(t, err)
	return p
}

// A loser without a slip reads that the seat or the opening decided the match.
func TestWhatDecidedAFlawlessMatch(t *testing.T) {
	subject := func(side rules.Side) string { return [...]string{"", "ann", "bob"}[side] }
	one, _ := rules.Notakto(1)
	opened, _ := rules.ParseGame("notakto/2: A5 A1 A9")
	for _, test := range []struct {
		start rules.Position
		want  string
	}{
		{one.Start(), "Nobody slipped: moving first decided it."},
		{opened.Position, "Nobody slipped: the opening decided it."},
		{rules.DefaultVariant().Start(), "Nobody slipped: moving first decided it."},
		{rules.TicTacToe().Start(), "Nobody slipped."},
	} {
		p, moves, rng := test.start, []rules.Move(nil), rand.New(rand.NewPCG(1, 2))
		for !p.Outcome().IsOver() {
			moves = append(moves, strategy.Perfect.Choose(p, rng))
			p = play(p, moves[len(moves)-1])
		}
		long, short := wording.TurningPoint(strategy.Review(test.start, moves), p.Outcome(), subject)
		if long != test.want || short != "Nobody slipped." {
			t.Errorf("from %v: %q, %q, want %q", test.start, long, short, test.want)
		}
	}
}

// Readers did not understand live boards called "worth 1".
func TestTheoryNamesTheBoardsThatChangeNothing(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/3: A5 B1 A1": "A b, C c; together bc; B changes nothing for either player, " +
			"so the player to move loses.",
		"notakto/3: A1 B1":    "C c; A and B change nothing for either player, so the player to move wins.",
		"notakto/2: A1 A2 A3": "B c, so the player to move wins.",
		"notakto/1: 1 2 3":    "every board is dead, and the match is over.",
	} {
		g, err := rules.ParseGame(game)
		testkit.OK(t, err)
		reviews := strategy.Review(g.Variant.Start(), g.Moves)
		_, text, _ := strings.Cut(wording.Theory(reviews[len(reviews)-1])[1], ": ")
		testkit.Equal(t, text, want)
	}
}
