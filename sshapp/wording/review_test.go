package wording_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// solver knows by the rules alone who wins.
type solver map[rules.Position]bool

// wins reports whether the side to move wins with perfect play.
func (s solver) wins(p rules.Position) bool {
	if p.Outcome().Over() {
		return p.Outcome().Winner == p.Turn()
	}
	won, known := s[p]
	if !known {
		won = slices.ContainsFunc(p.Legal(), func(m rules.Move) bool { return !s.wins(play(p, m)) })
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

// fact is a kind of claim that a review makes, and what has to be true for it. The position is the one in which the
// claim is made: the side to move is the one that loses.
type fact struct {
	claim *regexp.Regexp
	holds func(s solver, p rules.Position, words []string) bool
}

// becauses are the reasons that a position is lost.
func becauses() []fact {
	return []fact{
		{regexp.MustCompile(`^every free cell kills (\w)$`), func(_ solver, p rules.Position, words []string) bool {
			return p.Alive() == 1 && !slices.ContainsFunc(p.Legal(), func(m rules.Move) bool {
				return rules.BoardName(int(m.Board)) != words[1] || !play(p, m).Dead(int(m.Board))
			})
		}},
		{regexp.MustCompile(`^each safe cell of (\w) has an answer$`), func(s solver, p rules.Position, words []string) bool {
			return p.Alive() == 1 && hasAnswers(s, p, func(m rules.Move) bool {
				return rules.BoardName(int(m.Board)) == words[1]
			})
		}},
		{regexp.MustCompile(`^(\w) and (\w) are alike, and a move on one has an answer on the other$`),
			func(s solver, p rules.Position, words []string) bool {
				return p.Alive() == 2 && words[1] != words[2] && answersOnTheOther(s, p)
			}},
	}
}

// hasAnswers reports whether each move that does not end the game is of a kind, and has an answer that wins.
func hasAnswers(s solver, p rules.Position, isKind func(rules.Move) bool) bool {
	return !slices.ContainsFunc(p.Legal(), func(m rules.Move) bool {
		next := play(p, m)
		return !isKind(m) || !next.Outcome().Over() && !s.wins(next)
	})
}

func answersOnTheOther(s solver, p rules.Position) bool {
	return !slices.ContainsFunc(p.Legal(), func(m rules.Move) bool {
		next := play(p, m)
		return !slices.ContainsFunc(next.Legal(), func(answer rules.Move) bool {
			return answer.Board != m.Board && !s.wins(play(next, answer))
		})
	})
}

func checkBecause(t *testing.T, s solver, p rules.Position, because string) {
	t.Helper()
	for _, f := range becauses() {
		if words := f.claim.FindStringSubmatch(because); words != nil {
			if !f.holds(s, p, words) {
				t.Fatalf("%v: %q is not true", p, because)
			}
			return
		}
	}
	t.Fatalf("%v: no test for %q", p, because)
}

// checkReview checks every claim of a review by the rules, and fails at one that it does not know.
func checkReview(t *testing.T, s solver, r strategy.MoveReview, text string) {
	t.Helper()
	p, before := r.Previous, s.wins(r.Previous)
	after := r.Position
	mistake := regexp.MustCompile(`^A slip\. (\w+) wins(?:: then (.*?))?\.` +
		`(?: (\w+) others? wins? too\.)?(?: Now (\w+) wins\.)?$`)
	rare := regexp.MustCompile(`^(Every|The only|One of (\d+)) moves?(?: that)? wins?(?:: now (.*))?\.$`)
	lost := regexp.MustCompile(`^Already lost: (.*)\.$`)
	if words := mistake.FindStringSubmatch(text); words != nil {
		best := move(t, p, words[1])
		winning := winners(s, p)
		if !before || slices.Contains(winning, r.Move) || !slices.Contains(winning, best) ||
			len(winning)-1 != countOf(words[3]) {
			t.Fatalf("%v: %q, but the moves that win are %v", p, text, winning)
		}
		if words[2] != "" {
			checkBecause(t, s, play(p, best), words[2])
		}
		if words[4] != "" && s.wins(play(after, move(t, after, words[4]))) {
			t.Fatalf("%v: %q, but it does not", p, text)
		}
		return
	}
	if words := rare.FindStringSubmatch(text); words != nil {
		winning := winners(s, p)
		n := map[string]int{"Every": len(p.Legal()), "The only": 1}[words[1]]
		if words[2] != "" {
			n = countOf(words[2])
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

func countOf(text string) int {
	if text == "One" {
		return 1
	}
	n, _ := strconv.Atoi(text)
	return n
}

func winners(s solver, p rules.Position) []rules.Move {
	return slices.DeleteFunc(p.Legal(), func(m rules.Move) bool { return s.wins(play(p, m)) })
}

func move(t *testing.T, p rules.Position, text string) rules.Move {
	t.Helper()
	m, err := p.Variant().ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Whatever a review claims is true by the rules, for random games on one and two boards and a third that is dead.
func TestReviewsAreTrue(t *testing.T) {
	rng, s := rand.New(rand.NewPCG(4, 4)), solver{}
	said := map[string]int{}
	for game := range 200 {
		v, err := rules.Notakto(1 + game%2)
		if err != nil {
			t.Fatal(err)
		}
		var moves []rules.Move
		for p := v.Start(); !p.Outcome().Over(); {
			legal := p.Legal()
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
	for _, what := range []string{"A slip", "Alread", "Every ", "The on", "One of"} {
		if said[what] == 0 {
			t.Errorf("no review began with %q", what)
		}
	}
	t.Log(said)
}

// What the theory says of a move is who wins, by the rules.
func checkTheory(t *testing.T, s solver, r strategy.MoveReview) {
	t.Helper()
	lines := wording.Theory(r)
	positions := []rules.Position{r.Previous, r.Position}
	if r.Mistake() {
		positions = append(positions, play(r.Previous, r.Clearest()))
	}
	for i, p := range positions {
		want := ", so the player to move loses."
		switch {
		case p.Outcome().Over():
			want = ", and the match is over."
		case s.wins(p):
			want = ", so the player to move wins."
		}
		if !strings.HasSuffix(lines[i], want) {
			t.Fatalf("%v: %q, want %s", p, lines[i], want)
		}
	}
}

// A rule of thumb is given only where it is how the best move works.
func TestRulesOfThumb(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/1: 5":                 "Rule of thumb: on one empty board, take the centre.",
		"notakto/1: 1":                 "Rule of thumb: on one empty board, take the centre.",
		"notakto/3: A5":                "Rule of thumb: with an odd number of empty boards, the player to move can win.",
		"notakto/1: 1 2 6 9":           "Rule of thumb: on the last board, have an answer ready for every safe move.",
		"notakto/2: A1 B1 A3 B3 A7 B9": "", // boards alike in pairs: true here, but no rule,
		"notakto/3: A1 A2 A3":          "Rule of thumb: with an even number of empty boards, move second.",
		"notakto/2: A5":                "", // lost, whatever the move
		"tictactoe: 5":                 "",
	} {
		g, err := rules.ParseGame(game)
		if err != nil {
			t.Fatal(err)
		}
		reviews := strategy.Review(g.Variant.Start(), g.Moves)
		if got := wording.RuleOfThumb(reviews[len(reviews)-1]); got != want {
			t.Errorf("%s: %q, want %q", game, got, want)
		}
	}
}

// The first screen advised leaving boards alike in pairs, which loses with 84 of the 230 live boards. Each rule of
// thumb is true of all positions of which it speaks.
func TestRulesOfThumbAreTrue(t *testing.T) {
	checks := map[string]func(*testing.T){
		"With an odd number of empty boards, the player to move can win.": func(t *testing.T) {
			checkEmptyBoards(t, 1, strategy.Win)
		},
		"With an even number of empty boards, move second.": func(t *testing.T) {
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
	if len(checks) != len(wording.RulesOfThumb()) {
		t.Errorf("%d tests for %q", len(checks), wording.RulesOfThumb())
	}
}

// checkEmptyBoards checks who wins on so many empty boards, on two more and so on, alone and beside a dead board.
func checkEmptyBoards(t *testing.T, least int, want strategy.Verdict) {
	t.Helper()
	for boards := least; boards <= rules.MaxBoards; boards += 2 {
		empty := slices.Repeat([]string{"........."}, boards)
		if got := strategy.Evaluate(position(t, empty...)); got != want {
			t.Errorf("%d empty boards: %v", boards, got)
		}
		if boards == rules.MaxBoards {
			continue
		}
		if got := strategy.Evaluate(position(t, append(empty, "XXX......")...)); got != want {
			t.Errorf("%d empty boards beside a dead one: %v", boards, got)
		}
	}
}

func checkCenter(t *testing.T) {
	for _, dead := range [][]string{nil, {"XXX......"}} {
		p := position(t, append(dead, ".........")...)
		center := rules.Move{Board: p.Legal()[0].Board, Cell: 5}
		if got := winners(solver{}, p); !slices.Equal(got, []rules.Move{center}) {
			t.Errorf("%v: %v wins", p, got)
		}
	}
}

// checkAnswers checks that it loses to have safe moves only to which there is an answer that leaves no safe cell.
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

// checkNoSafeCell checks that a safe move after which no safe cell is left wins.
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

// liveBoards are the positions of one board that is alive.
func liveBoards(t *testing.T) []rules.Position {
	t.Helper()
	var all []rules.Position
	for crosses := range 1 << 9 {
		board := make([]byte, 9)
		for i := range board {
			board[i] = ".X"[crosses>>i&1]
		}
		p, err := rules.ParsePosition(string(board)) // an error if it had two lines before the last cross
		if err == nil && !p.Outcome().Over() {
			all = append(all, p)
		}
	}
	if len(all) != 230 {
		t.Fatalf("%d boards are alive", len(all))
	}
	return all
}

func safeMoves(p rules.Position) []rules.Move { return slices.DeleteFunc(p.Legal(), p.Kills) }

func position(t *testing.T, boards ...string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(strings.Join(boards, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A loser who did not slip reads what decided the match: the seat, or the opening.
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
		for !p.Outcome().Over() {
			moves = append(moves, strategy.Perfect.Choose(p, rng))
			p = play(p, moves[len(moves)-1])
		}
		long, short := wording.TurningPoint(strategy.Review(test.start, moves), p.Outcome(), subject)
		if long != test.want || short != "Nobody slipped." {
			t.Errorf("from %v: %q, %q, want %q", test.start, long, short, test.want)
		}
	}
}

// Of boards that were alive and "worth 1" nobody knew what that meant.
func TestTheoryNamesTheBoardsThatChangeNothing(t *testing.T) {
	said := map[string]bool{}
	for _, game := range []string{
		"notakto/3: A5 B1 A1 B5 C5 C1 A2", "notakto/3: A1 A2 A3 B1 B2 C1 C6 C8", "notakto/2: A1 A2 A3 B1 B2",
		"notakto/1: 1 2 3",
	} {
		g, err := rules.ParseGame(game)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range strategy.Review(g.Variant.Start(), g.Moves) {
			after, p := wording.Theory(r)[1], r.Position
			_, text, _ := strings.Cut(after, ": ")
			for i, value := range strategy.WorthOf(p).Boards {
				name := rules.BoardName(i)
				counts := strings.Contains(text, name+" "+value)
				isIdle := strings.Contains(text, name+" change") || strings.Contains(text, name+", ") && !counts ||
					strings.Contains(text, name+" and ")
				if wantsIdle := value == "1" && !p.Dead(i); isIdle != wantsIdle || counts == (value == "1") {
					t.Errorf("%s: %q of board %s, which is %s, dead %v", game, after, name, value, p.Dead(i))
				}
				said[strconv.FormatBool(isIdle)] = true
			}
		}
	}
	if len(said) != 2 {
		t.Error("no board changed nothing")
	}
}
