package wording_test

import (
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

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
