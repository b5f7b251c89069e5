package wording

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// Mark is the result of a puzzle, or of the puzzles of a day.
type Mark uint8

// The marks. Open, the zero value, stands for a puzzle without an answer.
const (
	Open Mark = iota
	Right
	Wrong
)

// NewMark returns the mark of an answer.
func NewMark(right bool) Mark {
	if right {
		return Right
	}
	return Wrong
}

// Sign returns ✓, ✗ or ·, and +, x or - with ascii.
func (m Mark) Sign(ascii bool) string {
	if ascii {
		return [...]string{"-", "+", "x"}[m]
	}
	return [...]string{"·", "✓", "✗"}[m]
}

// String returns the mark as a word.
func (m Mark) String() string { return [...]string{"open", "right", "wrong"}[m] }

// Verdict returns "Right." or "Wrong."
func Verdict(right bool) string { return Capital(NewMark(right).String()) + "." }

// Marks returns the signs of marks in one word.
func Marks(all []Mark, ascii bool) string {
	text := ""
	for _, m := range all {
		text += m.Sign(ascii)
	}
	return text
}

// Sentences of exercises.
const (
	OneTry       = "One move wins. You have one try."
	OneWins      = "One move wins."
	PracticeDone = "This was practice and counts for nothing."
	NotKept      = "Nothing is kept here."
	GuestKeeps   = "Nothing is kept for a guest. To keep your results, run ssh-keygen once, then connect again."
)

// Answer judges an answer to a puzzle, and names the move that wins. The result holds the solution.
func Answer(a puzzle.Answer) string {
	if a.IsRight() {
		return winsText(a.Review)
	}
	return Refuted(a) + " " + winsText(a.Clearest)
}

// Refuted gives the reason why a wrong answer does not win. The result holds no solution.
func Refuted(a puzzle.Answer) string {
	r := a.Review
	v := r.PositionBefore.Variant()
	text := v.FormatMove(r.Move) + " does not win."
	if reply, ok := r.Refutation(); ok {
		text = v.FormatMove(r.Move) + " lets your opponent win with " + v.FormatMove(reply) + "."
	} else if r.PositionAfter.Outcome().IsOver() {
		text = v.FormatMove(r.Move) + " ends the match, and you lose."
	}
	return text
}

// winsText gives the reason why a move wins.
func winsText(r strategy.MoveReview) string {
	text := r.PositionBefore.Variant().FormatMove(r.Move) + " wins"
	if because := AnswersReason(r.PositionAfter); because != "" {
		text += ": " + because
	}
	return text + "."
}

// AnswersReason completes a sentence as [LossReason] does. If the reason is hard to see, the result names the boards
// with the answers to the moves in p. The result is "" only for tic-tac-toe, and after the end of a game.
func AnswersReason(p rules.Position) string {
	if strategy.Classify(p) == strategy.EmptyBoards {
		return "an even number of empty boards is left"
	} else if because := LossReason(p); because != "" || p.Variant().IsTicTacToe() || p.Outcome().IsOver() {
		return because
	}
	all, v := strategy.Replies(p), p.Variant()
	safe := slices.DeleteFunc(slices.Clone(all), func(r strategy.Reply) bool { return p.Kills(r.Move) })
	switch {
	case len(safe) == 0:
		return "an odd number of boards is left, none with a safe cell"
	case p.LiveBoards() == 1:
		return "each safe cell of " + rules.BoardName(int(safe[0].Move.Board)) + " has an answer"
	}
	for i, replies := range [...][]strategy.Reply{all, safe} {
		text := [...]string{"every move has an answer on ", "every safe move has an answer on "}[i]
		if areAnswered(replies, func(move, answer uint8) bool { return answer == move }) {
			return text + "its own board"
		}
		for board := range uint8(v.Boards()) {
			if areAnswered(replies, func(_, answer uint8) bool { return answer == board }) {
				return text + rules.BoardName(int(board))
			}
		}
	}
	text, hardest := "every move has an answer", slices.MinFunc(all, func(a, b strategy.Reply) int {
		return len(a.Answers) - len(b.Answers)
	})
	isElsewhere := func(m rules.Move) bool { return m.Board != hardest.Move.Board }
	answer := hardest.Answers[0]
	if areAnswered(all, func(move, answer uint8) bool { return answer != move }) {
		if p.LiveBoards() == 2 {
			return text + " on the other board"
		}
		text += " on another board"
		answer = hardest.Answers[slices.IndexFunc(hardest.Answers, isElsewhere)]
	}
	return text + ", such as " + v.FormatMove(answer) + " after " + v.FormatMove(hardest.Move)
}

// areAnswered reports whether each reply has an answer on a board that fits the board of its move.
func areAnswered(replies []strategy.Reply, fits func(move, answer uint8) bool) bool {
	return !slices.ContainsFunc(replies, func(r strategy.Reply) bool {
		return !slices.ContainsFunc(r.Answers, func(m rules.Move) bool { return fits(r.Move.Board, m.Board) })
	})
}

// FoundIt tells how many accounts solved a puzzle. The result is "" for fewer than two answers.
func FoundIt(s progress.Share) string {
	if s.All < 2 {
		return ""
	}
	return strconv.Itoa(s.Right) + " of " + strconv.Itoa(s.All) + " found it."
}

// DailyName names the puzzles of a day, as "Daily 149, Thursday".
func DailyName(day int) string {
	return "Daily " + strconv.Itoa(day) + ", " + puzzle.Begin(day).Weekday().String()
}

// DailyWaits tells that puzzles of a day wait, as "Daily 149 is new. Streak 12, one freeze". answered is the number of
// puzzles that are answered. The result is "" without an open puzzle.
func DailyWaits(day, answered int, s progress.Streak) string {
	text := "Daily " + strconv.Itoa(day)
	switch left := puzzle.PerDay - answered; {
	case left <= 0 || day < 1:
		return ""
	case answered == 0:
		text += " is new"
	default:
		text += " has " + Count(left, "puzzle", "puzzles") + " left"
	}
	if row := Streak(s); row != "" {
		text += ". " + row
	}
	return text
}

// DayForms tells what happened on a day, as "12 matches, 3 solved the daily, ann leads the rush with 22", in forms from
// long to short. On a day without any of it, the result is nil.
func DayForms(d progress.Day) []string {
	var long, short []string
	if d.Matches > 0 {
		matches := Count(d.Matches, "match", "matches")
		long, short = append(long, matches), append(short, matches)
	}
	if d.Solved > 0 {
		long = append(long, strconv.Itoa(d.Solved)+" solved the daily")
		short = append(short, Count(d.Solved, "daily", "dailies"))
	}
	if d.Best.Solved > 0 {
		name, solved := d.Best.Player.Name, strconv.Itoa(d.Best.Solved)
		long, short = append(long, name+" leads the rush with "+solved), append(short, name+" rushed "+solved)
	}
	if len(long) == 0 {
		return nil
	}
	forms := []string{strings.Join(long, ", ")}
	for n := len(short); n > 0; n-- {
		forms = append(forms, strings.Join(short[:n], ", "))
	}
	return forms
}

// Today tells the results of a day in a sentence, "" without results.
func Today(d progress.Day) string {
	if forms := DayForms(d); forms != nil {
		return "Today: " + forms[0] + "."
	}
	return ""
}

// Streak names a streak, as "Streak 12, one freeze". The result is "" without one.
func Streak(s progress.Streak) string {
	if s.Days == 0 {
		return ""
	}
	text := "Streak " + strconv.Itoa(s.Days)
	if s.HasFreeze {
		text += ", one freeze"
	}
	return text
}

// Flawless tells for how many days there was no wrong answer. The result is "" for fewer than two days.
func Flawless(s progress.Streak) string {
	if s.Flawless < 2 {
		return ""
	}
	return strconv.Itoa(s.Flawless) + " days without a miss."
}

// NextDaily tells when the next puzzles come.
func NextDaily(in time.Duration) string {
	if in <= 0 {
		return "The next puzzles are there."
	}
	return "Tomorrow's puzzles in " + ClockLeft(in) + "."
}

// SlipsWait tells how many slips wait, as "2 of your slips wait". The result is "" for 0.
func SlipsWait(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 of your slips waits"
	default:
		return strconv.Itoa(n) + " of your slips wait"
	}
}

// SlipPrompt tells the match of a slip, and asks for a better move.
func SlipPrompt(s progress.Slip) string {
	return "From your match against " + s.Opponent.Name + ", " + s.Ended.UTC().Format("Monday 2 January") +
		". You played " + s.Position.Variant().FormatMove(s.Played) + " and could have won. Find a move that wins."
}

// SlipComesBack tells when a slip that was answered today is offered again.
func SlipComesBack(s progress.Slip, today int) string {
	if s.IsGone() {
		return "Solved " + strconv.Itoa(s.Solved) + " times in a row: gone for good."
	}
	return "Comes back in " + Count(s.Due-today, "day", "days") + "."
}

// SolvedText tells how many puzzles were solved. all is 0 for a rush.
func SolvedText(solved, all int) string {
	if all == 0 {
		return Count(solved, "puzzle", "puzzles") + " solved."
	}
	return "You solved " + strconv.Itoa(solved) + " of " + strconv.Itoa(all) + "."
}

// RushBest names the best runs of a player. The result is "" without a solved puzzle.
func RushBest(today, ever int) string {
	if ever == 0 {
		return ""
	}
	return "Best today " + strconv.Itoa(today) + ", ever " + strconv.Itoa(ever) + "."
}

// Week returns the marks of a week's days from Monday on, as "M ✓  T ✓  W ✗  T ·". ascii replaces the signs.
func Week(days []Mark, ascii bool) string {
	all := make([]string, len(days))
	for i, m := range days {
		all[i] = "MTWTFSS"[i:i+1] + " " + m.Sign(ascii)
	}
	return strings.Join(all, "  ")
}

// WeekInWords lists the days of a week with all answers right, and the days with a wrong one, to be spoken. If all
// marks are open, the result is "".
func WeekInWords(days []Mark) string {
	var all []string
	for i, m := range days {
		day := time.Weekday((i + 1) % len("MTWTFSS")).String()
		switch m {
		case Right:
			all = append(all, "all right on "+day)
		case Wrong:
			all = append(all, "a miss on "+day)
		case Open:
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "This week: " + strings.Join(all, ", ") + "."
}

// DailyShareLine returns a line to share the results of a day. The line has the number of the day, the marks, the days
// of the streak, and the ssh command. The line tells no move. ascii replaces the signs. Pasted into a shell, the line
// runs no command.
func DailyShareLine(day int, marks []Mark, streak int, host string, ascii bool) string {
	line := "Notakto daily " + strconv.Itoa(day) + "  " + Marks(marks, ascii)
	if streak > 1 {
		line += "  streak " + strconv.Itoa(streak)
	}
	if command := GameCommand(host, "daily"); command != "" {
		line += "  " + command
	}
	return line
}
