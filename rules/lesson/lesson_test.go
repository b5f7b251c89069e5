package lesson_test

import (
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

// claims is a step and a sentence of its text. Its methods serve the conditions of several sentences.
type claims struct {
	lesson.Step
	solver
	words  []string         // the matches of the groups of the sentence's pattern
	boards []rules.Position // all live boards
}

// Each sentence must be one of knownClaims, and must hold in its position and wherever it speaks of all positions.
func TestTextsAreTrue(t *testing.T) {
	c := claims{solver: solver{}}
	for crosses := range 1 << 9 {
		b := make([]byte, 9)
		for i := range b {
			b[i] = ".X"[crosses>>i&1]
		}
		if p, err := rules.ParsePosition(string(b)); err == nil && !p.Outcome().IsOver() {
			c.boards = append(c.boards, p)
		}
	}
	known := map[*regexp.Regexp]func(claims) bool{}
	for text, holds := range knownClaims() {
		known[regexp.MustCompile("^(?:"+text+")$")] = holds
	}
	said := map[*regexp.Regexp]bool{}
	walk(func(name string, s lesson.Step) {
		if s.Text == "" {
			return
		}
		for sentence := range strings.SplitSeq(strings.TrimSuffix(s.Text, "."), ". ") {
			found := false
			for text, holds := range known {
				if c.Step, c.words = s, text.FindStringSubmatch(sentence); c.words == nil {
					continue
				}
				if found, said[text] = true, true; !holds(c) {
					t.Errorf("%s: %v: %q is not true", name, s.Position, sentence)
				}
			}
			if !found {
				t.Errorf("%s: no test for %q", name, sentence)
			}
		}
	})
	for text := range known {
		if !said[text] {
			t.Errorf("no lesson says %q", text)
		}
	}
}

// knownClaims returns the condition for the truth of each sentence, by a pattern of the sentence.
func knownClaims() map[string]func(claims) bool {
	wins := func(isKind func(next rules.Position, m rules.Move) bool) func(claims) bool {
		return func(c claims) bool { return c.winsBy(isKind) }
	}
	worth := func(value string, isKind func(rules.Position) bool) func(claims) bool {
		return func(c claims) bool { return c.areWorth(value, isKind) }
	}
	pairIs := func(value string) func(claims) bool {
		return worth(value, func(p rules.Position) bool { return pair(p) == value })
	}
	return map[string]func(claims) bool{
		// Lesson 1.
		`You both place X`: func(c claims) bool { return !c.Position.Variant().IsTicTacToe() },
		`Three in a row kills the board: here (.*) would`: func(c claims) bool {
			named := strings.Split(strings.ReplaceAll(c.words[1], " and ", ", "), ", ")
			return c.all(func(m rules.Move) bool { return c.Position.Kills(m) == slices.Contains(named, m.String()) })
		},
		`The player who kills the last board loses`: func(c claims) bool {
			for _, p := range c.boards {
				for _, m := range p.LegalMoves() {
					if next := play(p, m); next.IsDead(0) && next.Outcome().Winner != p.Turn().Other() {
						return false
					}
				}
			}
			return true
		},
		`(?:Now l|L)eave no safe cell|Make your opponent do it`: wins(func(next rules.Position, _ rules.Move) bool {
			return !hasSafeCell(next)
		}),
		`A is dead: no X goes there`: func(c claims) bool { return c.Position.IsDead(0) },
		`The match ends when the last board dies`: func(c claims) bool {
			return c.Position.LiveBoards() == 1
		},
		`Or think ahead: have an answer ready for each safe cell`: wins(isAnswered),
		// Lesson 2.
		`On one empty board, only the centre wins`: func(c claims) bool {
			return slices.Equal(c.winners(position(".........")), []rules.Move{{Cell: 5}})
		},
		"(?:Answer|This answer works after the centre:|Again:) a knight's move away, in a safe cell" +
			"(?:: two cells along, one across)?": func(c claims) bool {
			return c.Position.At(0, 5) == rules.Cross && c.winsBy(func(next rules.Position, m rules.Move) bool {
				return isKnightsMove(c.last(), m) && !next.IsDead(0)
			})
		},
		`Your opponent opened (in a corner|on an edge)`: func(c claims) bool {
			return c.Position.Plies() == 1 && isCorner(c.last().Cell) == (c.words[1] == "in a corner")
		},
		`Take the opposite corner`: func(c claims) bool {
			return c.winsBy(func(_ rules.Position, m rules.Move) bool { return m.Cell+c.last().Cell == 10 })
		},
		`Take another edge`: wins(func(_ rules.Position, m rules.Move) bool { return m.Cell%2 == 0 }),
		// Lesson 3.
		`No board has a safe cell, so each move kills one`: func(c claims) bool { return !hasSafeCell(c.Position) },
		`Your opponent must kill the last`: func(c claims) bool {
			return len(c.winners(c.Position)) == len(c.Position.LegalMoves())
		},
		`Leave an odd number of boards, all without a safe cell: then your opponent loses`: wins(isOddWithoutSafeCell),
		`You can kill A, or leave it without a safe cell`: func(c claims) bool {
			return !c.all(func(m rules.Move) bool { return m.Board != 0 || !c.Position.Kills(m) }) &&
				!c.all(func(m rules.Move) bool {
					return m.Board != 0 || c.Position.Kills(m) || hasSafeCell(play(c.Position, m))
				})
		},
		`Choose what makes the number odd`: wins(isOddWithoutSafeCell),
		`Two boards without a safe cell cancel out`: func(c claims) bool {
			for _, p := range c.boards {
				for _, idle := range c.boards {
					with := position(p.String(), idle.String(), idle.String())
					if !hasSafeCell(idle) && strategy.Evaluate(with) != strategy.Evaluate(p) {
						return false
					}
				}
			}
			return true
		},
		`Play as if they were not there`: func(c claims) bool {
			alone := c.winners(position(strings.Split(c.Position.String(), "/")[2]))
			for i := range alone {
				alone[i].Board = 2
			}
			return slices.Equal(alone, strategy.Analyse(c.Position).WinningMoves())
		},
		`With an (even|odd) number(?: of empty boards, moving first loses|, it wins)`: func(claims) bool {
			for n := 1; n <= rules.MaxBoards; n++ {
				v, _ := rules.Notakto(n)
				if (strategy.Evaluate(v.Start()) == strategy.Win) != (n%2 == 1) {
					return false
				}
			}
			return true
		},
		// Lesson 4.
		`On two empty boards, moving first loses`: func(c claims) bool {
			return !c.wins(position(".........", "........."))
		},
		`Answer (?:on the same board|there), a knight's move away`: func(c claims) bool {
			return c.winsBy(func(_ rules.Position, m rules.Move) bool {
				return m.Board == c.last().Board && isKnightsMove(c.last(), m)
			})
		},
		`Your opponent changed the board`: func(c claims) bool {
			return c.last().Board == 1 && c.Position.Crosses(0) != 0
		},
		`Your opponent took a centre`: func(c claims) bool { return c.last().Cell == 5 },
		`Any cell of that board is a good answer`: func(c claims) bool {
			return c.winsBy(func(_ rules.Position, m rules.Move) bool { return m.Board == c.last().Board })
		},
		`Only the last board counts`: func(c claims) bool {
			return c.all(func(m rules.Move) bool { return !play(c.Position, m).Outcome().IsOver() })
		},
		`Kill the other if the last one then has no safe cell`: wins(func(next rules.Position, m rules.Move) bool {
			return next.IsDead(int(m.Board)) && !hasSafeCell(next)
		}),
		`Also kill the other if you then have an answer to each safe cell of the last board`: wins(
			func(next rules.Position, m rules.Move) bool { return next.IsDead(int(m.Board)) && isAnswered(next, m) }),
		// Lesson 5.
		`A board without a safe cell is a`: worth("a", func(p rules.Position) bool {
			return !hasSafeCell(p)
		}),
		`The player to move loses at .*|Moving at b and c loses`: claims.losesAtFourProducts,
		`An empty board is c`: worth("c", func(p rules.Position) bool { return p.Plies() == 0 }),
		`Its centre alone is cc`: worth("cc", func(p rules.Position) bool {
			return p == position("....X....")
		}),
		`A dead board is 1, and so is one X off the centre`: func(c claims) bool {
			return strategy.EvaluateBoards(position("XXX......", ".........")).Boards[0] == "1" &&
				c.areWorth("1", func(p rules.Position) bool { return p.Plies() == 1 && p.At(0, 5) == rules.Empty })
		},
		`Opposite corners are a, and so are two edges`: pairIs("a"),
		`A corner with the edge beside it is d`:        pairIs("d"),
		`Any other pair of X is b`:                     pairIs("b"),
		`With three X or more: the first of 1, a, b, ab that no move reaches|` +
			`Three X or more, and moves reach all of 1, a, b and ab: the board is ad`: func(c claims) bool {
			for _, value := range []string{"1", "a", "b", "ab", "ad"} {
				isKind := func(p rules.Position) bool { return p.Plies() >= 3 && firstUnreached(p) == value }
				if !c.areWorth(value, isKind) {
					return false
				}
			}
			return true
		},
		`A is \w{1,3}(?:, .*)?`: func(c claims) bool {
			for i, text := range strings.Split(c.words[0], ", ") {
				if text != rules.BoardName(i)+" is "+strategy.EvaluateBoards(c.Position).Boards[i] {
					return false
				}
			}
			return strings.Count(c.words[0], " is ") == c.Position.LiveBoards()
		},
		// Lesson 6.
		`Multiply the letters`: func(c claims) bool { return c.Position.LiveBoards() > 1 },
		`(?:Two a cancel out: )?((?:aa|b|c|d).* is .*)`: func(c claims) bool {
			for equation := range strings.SplitSeq(strings.ReplaceAll(c.words[1], ", and ", ", "), ", ") {
				left, right, _ := strings.Cut(equation, " is ")
				if productOf(left) != right || productOf(right) != right {
					return false
				}
			}
			return true
		},
	}
}

// all reports whether holds is true for all legal moves.
func (c claims) all(holds func(rules.Move) bool) bool {
	return !slices.ContainsFunc(c.Position.LegalMoves(), func(m rules.Move) bool { return !holds(m) })
}

// winsBy reports whether a move of a kind exists in the position, and all moves of the kind win.
func (c claims) winsBy(isKind func(next rules.Position, m rules.Move) bool) bool {
	found := false
	for _, m := range c.Position.LegalMoves() {
		next := play(c.Position, m)
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
func isAnswered(p rules.Position, _ rules.Move) bool {
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
func (c claims) last() rules.Move {
	text := regexp.MustCompile(`^Your opponent played (\w\d)\.`).FindStringSubmatch(c.Task)
	m, err := c.Position.Variant().ParseMove(text[1])
	if err != nil || c.Position.At(int(m.Board), m.Cell) != rules.Cross {
		panic(c.Task)
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

// firstUnreached returns the first of 1, a, b and ab that no move reaches, "ad" if moves reach all.
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
	return "ad"
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
