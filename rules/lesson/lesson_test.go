package lesson_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/strategy"
)

func play(p rules.Position, m rules.Move) rules.Position {
	next, err := p.Play(m)
	if err != nil {
		panic(err)
	}
	return next
}

func position(boards ...string) rules.Position {
	p, err := rules.ParsePosition(strings.Join(boards, "/"))
	if err != nil {
		panic(err)
	}
	return p
}

func safeMoves(p rules.Position) []rules.Move {
	return slices.DeleteFunc(p.LegalMoves(), func(m rules.Move) bool { return play(p, m).IsDead(int(m.Board)) })
}

func hasSafeCell(p rules.Position) bool { return len(safeMoves(p)) > 0 }

// solver knows by the rules alone which positions the side to move wins.
type solver map[rules.Position]bool

func (s solver) wins(p rules.Position) bool {
	if p.Outcome().IsOver() {
		return p.Outcome().Winner == p.Turn()
	}
	won, known := s[p]
	if !known {
		won = len(s.winners(p)) > 0
		s[p] = won
	}
	return won
}

func (s solver) winners(p rules.Position) []rules.Move {
	return slices.DeleteFunc(p.LegalMoves(), func(m rules.Move) bool { return s.wins(play(p, m)) })
}

// walk visits the steps of all lessons, those after every right move too.
func walk(visit func(name string, s lesson.Step)) {
	var from func(name string, s lesson.Step)
	from = func(name string, s lesson.Step) {
		visit(name, s)
		for _, m := range s.Position.LegalMoves() {
			if answer, err := s.Check(m); err != nil || !answer.IsRight() {
				continue
			}
			if next, ok := s.Next(m); ok {
				from(name+" "+m.String(), next)
			}
		}
	}
	for _, l := range lesson.All() {
		for i, s := range slices.Concat(l.Steps, draw(l, 1), draw(l, 2), draw(l, 3)) {
			from(fmt.Sprintf("lesson %d, step %d", l.Number, i+1), s)
		}
	}
}

func draw(l lesson.Lesson, seed uint64) []lesson.Step {
	return l.DrawPuzzles(rand.New(rand.NewPCG(1, seed)))
}

func TestLessonsHaveStepsAndPuzzles(t *testing.T) {
	all := lesson.All()
	if len(all) != 6 {
		t.Fatalf("%d lessons", len(all))
	}
	for i, l := range all {
		if l.Number != i+1 || l.Title == "" || len(l.Steps) < 3 || l.Size() != len(l.Steps)+3 {
			t.Errorf("lesson %d: %+v", i+1, l)
		}
		for i, s := range slices.Concat(l.Steps, draw(l, 1)) {
			if isPuzzle := i >= len(l.Steps); s.IsPuzzle != isPuzzle || isPuzzle != (s.Text == "") {
				t.Errorf("lesson %d, step %d: %+v", l.Number, i+1, s)
			}
		}
	}
}

// A player who has read the right answers to one draw of puzzles sees others in the next draws.
func TestPuzzlesChangeWithEachDraw(t *testing.T) {
	const draws = 100
	for _, l := range lesson.All() {
		seen := map[string]bool{}
		for seed := range uint64(draws) {
			puzzles := draw(l, seed)
			shapes := map[rules.Shape]bool{}
			for _, p := range puzzles {
				shapes[p.Position.Shape()] = true
			}
			if len(shapes) < lesson.Puzzles {
				t.Errorf("lesson %d asks a puzzle twice: %v", l.Number, puzzles)
			}
			seen[fmt.Sprint(puzzles[0].Position, puzzles[1].Position, puzzles[2].Position)] = true
		}
		if len(seen) < draws*9/10 {
			t.Errorf("lesson %d: only %d of %d draws differ", l.Number, len(seen), draws)
		}
	}
}

// The first right move leads from step to step, and shows no position of the lesson twice.
func TestALessonRepeatsNoPosition(t *testing.T) {
	for _, l := range lesson.All() {
		seen := map[rules.Position]bool{}
		for i, s := range l.Steps {
			for ok := true; ok; s, ok = s.Next(strategy.Analyse(s.Position).WinningMoves()[0]) {
				if seen[s.Position] {
					t.Errorf("lesson %d, step %d repeats %v", l.Number, i+1, s.Position)
				}
				seen[s.Position] = true
			}
		}
	}
}

func TestStepsAreWonAndMovesCanBeWrong(t *testing.T) {
	known := solver{}
	walk(func(name string, s lesson.Step) {
		if s.Position.Outcome().IsOver() || strategy.Evaluate(s.Position) != strategy.Win || s.Task == "" {
			t.Errorf("%s: %v, %q", name, s.Position, s.Task)
		}
		if lines(s.Text) > 3 || lines(s.Task) > 2 {
			t.Errorf("%s does not fit: %q, %q", name, s.Text, s.Task)
		}
		for _, m := range s.Position.LegalMoves() {
			answer, err := s.Check(m)
			if err != nil {
				t.Errorf("%s: %v: %v", name, m, err)
			}
			if s.Position.LiveBoards() == 1 && answer.IsRight() == known.wins(play(s.Position, m)) {
				t.Errorf("%s: %v is right: %v", name, m, answer.IsRight())
			}
		}
	})
}

// lines counts the lines of a text in a window of 40 columns.
func lines(text string) int {
	const width = 38
	n, column := 1, 0
	for word := range strings.FieldsSeq(text) {
		if column > 0 && column+1+len(word) > width {
			n, column = n+1, 0
		}
		if column > 0 {
			column++
		}
		column += len(word)
	}
	return n
}

func TestNextRepeats(t *testing.T) {
	s := lesson.All()[1].Steps[0]
	first, ok := s.Next(rules.Move{Cell: 5})
	second, _ := s.Next(rules.Move{Cell: 5})
	if !ok || first.Position != second.Position || first.Task != second.Task || first.Position.Plies() != 2 {
		t.Errorf("%v, then %v", first, second)
	}
	if next, ok := s.Next(rules.Move{Board: 3}); ok {
		t.Errorf("an illegal move leads to %v", next)
	}
}

// claim is a sentence of the lessons with the condition for its truth.
type claim struct {
	text  *regexp.Regexp
	holds func(c claims, s lesson.Step, words []string) bool
}

// claims holds what the conditions share.
type claims struct {
	solver
	boards []rules.Position // all live boards
}

// Each sentence must be one of knownClaims, and must hold in its position and wherever it speaks of all positions.
func TestTextsAreTrue(t *testing.T) {
	c := claims{solver{}, nil}
	for crosses := range 1 << 9 {
		b := make([]byte, 9)
		for i := range b {
			b[i] = ".X"[crosses>>i&1]
		}
		if p, err := rules.ParsePosition(string(b)); err == nil && !p.Outcome().IsOver() {
			c.boards = append(c.boards, p)
		}
	}
	known, said := knownClaims(), map[int]bool{}
	walk(func(name string, s lesson.Step) {
		if s.Text == "" {
			return
		}
		for sentence := range strings.SplitSeq(strings.TrimSuffix(s.Text, "."), ". ") {
			i := slices.IndexFunc(known, func(k claim) bool { return k.text.MatchString(sentence) })
			if i < 0 {
				t.Errorf("%s: no test for %q", name, sentence)
			} else if !known[i].holds(c, s, known[i].text.FindStringSubmatch(sentence)) {
				t.Errorf("%s: %v: %q is not true", name, s.Position, sentence)
			}
			said[i] = true
		}
	})
	for i, k := range known {
		if !said[i] {
			t.Errorf("no lesson says %q", k.text)
		}
	}
}

func knownClaims() []claim {
	var all []claim
	add := func(text string, holds func(claims, lesson.Step, []string) bool) {
		all = append(all, claim{regexp.MustCompile("^(?:" + text + ")$"), holds})
	}
	// Lesson 1.
	add(`You both place X`, func(_ claims, s lesson.Step, _ []string) bool { return !s.Position.Variant().IsTicTacToe() })
	add(`Three in a row kills the board: here (.*) would`, func(_ claims, s lesson.Step, words []string) bool {
		named := strings.Split(strings.ReplaceAll(words[1], " and ", ", "), ", ")
		for _, m := range s.Position.LegalMoves() {
			if play(s.Position, m).IsDead(int(m.Board)) != slices.Contains(named, m.String()) {
				return false
			}
		}
		return true
	})
	add(`The player who kills the last board loses`, func(c claims, _ lesson.Step, _ []string) bool {
		for _, p := range c.boards {
			for _, m := range p.LegalMoves() {
				if next := play(p, m); next.IsDead(0) && next.Outcome().Winner != p.Turn().Other() {
					return false
				}
			}
		}
		return true
	})
	add(`(?:Now l|L)eave no safe cell|Make your opponent do it`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(next rules.Position, _ rules.Move) bool { return !hasSafeCell(next) })
	})
	add(`A is dead: no X goes there`, func(_ claims, s lesson.Step, _ []string) bool {
		return s.Position.IsDead(0) && errors.Is(s.Position.Check(rules.Move{Cell: 1}), rules.ErrBoardDead)
	})
	add(`The match ends when the last board dies`, func(_ claims, s lesson.Step, _ []string) bool {
		return s.Position.LiveBoards() == 1 && !s.Position.Outcome().IsOver()
	})
	add(`Or think ahead: have an answer ready for each safe cell`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(next rules.Position, _ rules.Move) bool { return isAnswered(next) })
	})
	// Lesson 2.
	add(`On one empty board, only the centre wins`, func(c claims, _ lesson.Step, _ []string) bool {
		return slices.Equal(c.winners(position(".........")), []rules.Move{{Cell: 5}})
	})
	add("(?:Answer|This answer works after the centre:|Again:) a knight's move away, in a safe cell"+
		"(?:: two cells along, one across)?",
		func(c claims, s lesson.Step, _ []string) bool {
			return s.Position.At(0, 5) == rules.Cross && winsBy(c, s, func(next rules.Position, m rules.Move) bool {
				return isKnightsMove(last(s), m) && !next.IsDead(0)
			})
		})
	add(`Your opponent opened in a corner|Your opponent opened on an edge`,
		func(_ claims, s lesson.Step, words []string) bool {
			return s.Position.Plies() == 1 && isCorner(last(s).Cell) == strings.Contains(words[0], "corner")
		})
	add(`Take the opposite corner`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(_ rules.Position, m rules.Move) bool { return m.Cell+last(s).Cell == 10 })
	})
	add(`Take another edge`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(_ rules.Position, m rules.Move) bool { return m.Cell%2 == 0 })
	})
	// Lesson 3.
	add(`No board has a safe cell, so each move kills one`, func(_ claims, s lesson.Step, _ []string) bool {
		return !hasSafeCell(s.Position)
	})
	add(`Your opponent must kill the last`, func(c claims, s lesson.Step, _ []string) bool {
		return len(c.winners(s.Position)) == len(s.Position.LegalMoves())
	})
	add(`Leave an odd number of boards, all without a safe cell: then your opponent loses`,
		func(c claims, s lesson.Step, _ []string) bool {
			return winsBy(c, s, isOddWithoutSafeCell)
		})
	add(`You can kill A, or leave it without a safe cell`, func(_ claims, s lesson.Step, _ []string) bool {
		return slices.ContainsFunc(s.Position.LegalMoves(), func(m rules.Move) bool {
			return m.Board == 0 && s.Position.Kills(m)
		}) && slices.ContainsFunc(s.Position.LegalMoves(), func(m rules.Move) bool {
			return m.Board == 0 && !s.Position.Kills(m) && !hasSafeCell(play(s.Position, m))
		})
	})
	add(`Choose what makes the number odd`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, isOddWithoutSafeCell)
	})
	add(`Two boards without a safe cell cancel out`, func(c claims, _ lesson.Step, _ []string) bool {
		for _, p := range c.boards {
			for _, idle := range c.boards {
				with := position(p.String(), idle.String(), idle.String())
				if !hasSafeCell(idle) && strategy.Evaluate(with) != strategy.Evaluate(p) {
					return false
				}
			}
		}
		return true
	})
	add(`Play as if they were not there`, func(c claims, s lesson.Step, _ []string) bool {
		alone := c.winners(position(strings.Split(s.Position.String(), "/")[2]))
		for i := range alone {
			alone[i].Board = 2
		}
		return slices.Equal(alone, strategy.Analyse(s.Position).WinningMoves())
	})
	add(`With an (even|odd) number(?: of empty boards, moving first loses|, it wins)`,
		func(_ claims, _ lesson.Step, words []string) bool {
			first, want := 1, strategy.Win
			if words[1] == "even" {
				first, want = 2, strategy.Loss
			}
			for n := first; n <= rules.MaxBoards; n += 2 {
				v, _ := rules.Notakto(n)
				if strategy.Evaluate(v.Start()) != want {
					return false
				}
			}
			return true
		})
	// Lesson 4.
	add(`On two empty boards, moving first loses`, func(c claims, _ lesson.Step, _ []string) bool {
		return !c.wins(position(".........", "........."))
	})
	add(`Answer (?:on the same board|there), a knight's move away`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(_ rules.Position, m rules.Move) bool {
			return m.Board == last(s).Board && isKnightsMove(last(s), m)
		})
	})
	add(`Your opponent changed the board`, func(_ claims, s lesson.Step, _ []string) bool {
		return last(s).Board == 1 && s.Position.Crosses(0) != 0
	})
	add(`Your opponent took a centre`, func(_ claims, s lesson.Step, _ []string) bool { return last(s).Cell == 5 })
	add(`Any cell of that board is a good answer`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(_ rules.Position, m rules.Move) bool { return m.Board == last(s).Board })
	})
	add(`Only the last board counts`, func(_ claims, s lesson.Step, _ []string) bool {
		return s.Position.LiveBoards() > 1 && !slices.ContainsFunc(s.Position.LegalMoves(), func(m rules.Move) bool {
			return play(s.Position, m).Outcome().IsOver()
		})
	})
	add(`Kill the other if the last one then has no safe cell`, func(c claims, s lesson.Step, _ []string) bool {
		return winsBy(c, s, func(next rules.Position, m rules.Move) bool {
			return next.IsDead(int(m.Board)) && !hasSafeCell(next)
		})
	})
	add(`Also kill the other if you then have an answer to each safe cell of the last board`,
		func(c claims, s lesson.Step, _ []string) bool {
			for _, p := range c.boards {
				if isAnswered(p) && c.wins(p) {
					return false
				}
			}
			return winsBy(c, s, func(next rules.Position, m rules.Move) bool {
				return next.IsDead(int(m.Board)) && isAnswered(next)
			})
		})
	// Lesson 5.
	add(`A board without a safe cell is a`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("a", func(p rules.Position) bool { return !hasSafeCell(p) })
	})
	add(`The player to move loses at .*|Moving at b and c loses`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.losesAtFourProducts()
	})
	add(`An empty board is c`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("c", func(p rules.Position) bool { return p.Plies() == 0 })
	})
	add(`Its centre alone is cc`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("cc", func(p rules.Position) bool { return p == position("....X....") })
	})
	add(`A dead board is 1, and so is one X off the centre`, func(c claims, _ lesson.Step, _ []string) bool {
		return strategy.EvaluateBoards(position("XXX......", ".........")).Boards[0] == "1" &&
			c.areWorth("1", func(p rules.Position) bool { return p.Plies() == 1 && p.At(0, 5) == rules.Empty })
	})
	add(`Opposite corners are a, and so are two edges`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("a", func(p rules.Position) bool { return pair(p) == "a" })
	})
	add(`A corner with the edge beside it is d`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("d", func(p rules.Position) bool { return pair(p) == "d" })
	})
	add(`Any other pair of X is b`, func(c claims, _ lesson.Step, _ []string) bool {
		return c.areWorth("b", func(p rules.Position) bool { return pair(p) == "b" })
	})
	add(`With three X or more: the first of 1, a, b, ab that no move reaches`,
		func(c claims, _ lesson.Step, _ []string) bool {
			for _, value := range []string{"1", "a", "b", "ab"} {
				if !c.areWorth(value, func(p rules.Position) bool { return p.Plies() >= 3 && firstUnreached(p) == value }) {
					return false
				}
			}
			return true
		})
	add(`Three X or more, and moves reach all of 1, a, b and ab: the board is ad`,
		func(c claims, _ lesson.Step, _ []string) bool {
			return c.areWorth("ad", func(p rules.Position) bool { return p.Plies() >= 3 && firstUnreached(p) == "" })
		})
	add(`A is .*`, func(_ claims, s lesson.Step, words []string) bool {
		for i, text := range strings.Split(words[0], ", ") {
			if text != rules.BoardName(i)+" is "+strategy.EvaluateBoards(s.Position).Boards[i] {
				return false
			}
		}
		return strings.Count(words[0], " is ") == s.Position.LiveBoards()
	})
	// Lesson 6.
	add(`Multiply the letters`, func(_ claims, s lesson.Step, _ []string) bool { return s.Position.LiveBoards() > 1 })
	add(`(?:Two a cancel out: )?((?:aa|b|c|d).* is .*)`, func(_ claims, _ lesson.Step, words []string) bool {
		for equation := range strings.SplitSeq(strings.ReplaceAll(words[1], ", and ", ", "), ", ") {
			left, right, _ := strings.Cut(equation, " is ")
			if productOf(left) != right || productOf(right) != right {
				return false
			}
		}
		return true
	})
	return all
}

// winsBy reports whether a move of a kind exists in the position of s, and all moves of the kind win.
func winsBy(c claims, s lesson.Step, isKind func(next rules.Position, m rules.Move) bool) bool {
	found := false
	for _, m := range s.Position.LegalMoves() {
		next := play(s.Position, m)
		if next.Outcome().IsOver() || !isKind(next, m) {
			continue
		}
		if found = true; next.LiveBoards() <= 2 && c.wins(next) || strategy.Evaluate(next) == strategy.Win {
			return false
		}
	}
	return found
}

// isAnswered reports whether each safe move on the last board has a safe answer that leaves no safe cell.
func isAnswered(p rules.Position) bool {
	safe := safeMoves(p)
	return p.LiveBoards() == 1 && len(safe) > 0 && !slices.ContainsFunc(safe, func(m rules.Move) bool {
		next := play(p, m)
		return !slices.ContainsFunc(safeMoves(next), func(m rules.Move) bool { return !hasSafeCell(play(next, m)) })
	})
}

func isOddWithoutSafeCell(next rules.Position, _ rules.Move) bool {
	return next.LiveBoards()%2 == 1 && !hasSafeCell(next)
}

// last returns the opponent's last move, which the task names.
func last(s lesson.Step) rules.Move {
	text := regexp.MustCompile(`^Your opponent played (\w\d)\.`).FindStringSubmatch(s.Task)
	m, err := s.Position.Variant().ParseMove(text[1])
	if err != nil || s.Position.At(int(m.Board), m.Cell) != rules.Cross {
		panic(s.Task)
	}
	return m
}

func isKnightsMove(from, to rules.Move) bool {
	row, column := int(from.Cell-1)/3-int(to.Cell-1)/3, int(from.Cell-1)%3-int(to.Cell-1)%3
	return row*row+column*column == 5
}

func isCorner(c rules.Cell) bool { return c%2 == 1 && c != 5 }

// areWorth reports whether all boards of a kind have a value, and there is one.
func (c claims) areWorth(value string, isKind func(rules.Position) bool) bool {
	found := false
	for _, p := range c.boards {
		if isKind(p) {
			if found = true; strategy.EvaluateBoards(p).Product != value {
				return false
			}
		}
	}
	return found
}

// pair returns the letter that lesson 5 gives to a board with two X, "" for other boards.
func pair(p rules.Position) string {
	var cells []rules.Cell
	for cell := range p.Variant().Cells() {
		if p.At(0, cell) == rules.Cross {
			cells = append(cells, cell)
		}
	}
	if len(cells) != 2 {
		return ""
	}
	first, second := cells[0], cells[1]
	areEdges := first%2 == 0 && second%2 == 0
	switch row, column := int(first-1)/3-int(second-1)/3, int(first-1)%3-int(second-1)%3; {
	case areEdges, isCorner(first) && isCorner(second) && first+second == 10:
		return "a"
	case first != 5 && second != 5 && row*row+column*column == 1:
		return "d"
	default:
		return "b"
	}
}

// firstUnreached returns the first of 1, a, b and ab that no move reaches, "" if moves reach all.
func firstUnreached(p rules.Position) string {
	reached := map[string]bool{}
	for _, m := range p.LegalMoves() {
		reached[strategy.EvaluateBoards(play(p, m)).Product] = true
	}
	for _, value := range []string{"1", "a", "b", "ab"} {
		if !reached[value] {
			return value
		}
	}
	return ""
}

// losesAtFourProducts compares the products with the rules, on all pairs of live boards.
func (c claims) losesAtFourProducts() bool {
	for _, p := range c.boards {
		for _, q := range c.boards {
			both := position(p.String(), q.String())
			isLost := slices.Contains([]string{"a", "bb", "bc", "cc"}, strategy.EvaluateBoards(both).Product)
			if p.Plies() <= q.Plies() && isLost == c.wins(both) {
				return false
			}
		}
	}
	return true
}

// productOf multiplies boards that are worth the letters of a word.
func productOf(word string) string {
	boards := map[rune]string{'1': "XXX......", 'a': "XX.XX....", 'b': "X.X......", 'c': ".........", 'd': "XX......."}
	chosen := []string{"XXX......"}
	for _, letter := range word {
		chosen = append(chosen, boards[letter])
	}
	if word == "1" {
		return "1"
	}
	return strategy.EvaluateBoards(position(chosen...)).Product
}

func TestExplainingNamesALessonWithSuchAMove(t *testing.T) {
	for notation, want := range map[string]int{
		"XX.X.....": 1, ".........": 2, "......X..": 2, "XX.XX..../X.X...X.X": 3, "XX.XX..../X.X...X.X/.........": 3,
		".X.X.XX.X/...X..X..": 4, "........./X..X.....": 6,
	} {
		p := position(notation)
		if got := lesson.Explaining(p, strategy.Analyse(p).WinningMoves()[0]); got != want {
			t.Errorf("%s: lesson %d, want %d", notation, got, want)
		}
	}
	if got := lesson.Explaining(position("........."), rules.Move{Cell: 1}); got != 0 {
		t.Errorf("lesson %d for a move that loses", got)
	}
}
