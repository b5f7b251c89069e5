package plain

import (
	"context"
	"strconv"
	"strings"
	"time"

	"notakto/match/store"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// exercises asks the player for moves, in one exercise at a time. A match that begins ends the exercise.
type exercises struct {
	player *player
	out    *printer
	kept   *store.Progress  // nil on a server without a history
	inTurn func(do func())  // as in [Config]
	open   *client.Exercise // nil without one
}

func (x *exercises) source() client.Exercises {
	return x.player.client.Exercises(x.player.Player, x.kept, x.inTurn)
}

// hintWithin is the longest wait for the hint in the greeting.
const hintWithin = 2 * time.Second

// hint tells what waits for the player today, and what has happened today. Without an answer of the store in time the
// result is "".
func (x *exercises) hint() string {
	ctx, cancel := context.WithTimeout(x.player.ctx, hintWithin)
	defer cancel()
	today, err := x.source().Today(ctx)
	if err != nil {
		return ""
	}
	visit, slips := "", wording.SlipsWait(today.Slips)
	daily := wording.DailyWaits(today.Number, today.Answered, today.Streak)
	if x.source().IsNew(ctx) {
		visit = "New here? Type try: the game in one minute."
	}
	if daily != "" {
		daily += ": type daily."
	}
	if slips != "" {
		slips += ": type slips."
	}
	return join(visit, daily, slips, wording.Today(today.Day))
}

// begin enters an exercise. n is a day or the number of a lesson.
func (x *exercises) begin(at start.Kind, n int) error {
	return x.enter(func(ctx context.Context) (*client.Exercise, error) { return x.source().Open(ctx, at, n) })
}

// enter opens an exercise, and asks its first question.
func (x *exercises) enter(open func(context.Context) (*client.Exercise, error)) error {
	ctx, cancel := x.player.callContext()
	defer cancel()
	e, err := open(ctx)
	if err != nil {
		return err
	}
	x.open = e
	if e.IsOver() {
		x.finish()
		return nil
	}
	about := "Type a move, such as A5; boards to hear the boards again; " + map[client.ExerciseKind]string{
		client.Slips: "skip for the next one; ", client.Lesson: "back for the step before; ",
	}[e.Kind] + "or leave."
	if e.Kind == client.Rush {
		about = "You have " + wording.ClockLeft(client.RushTime) + ", and " + strconv.Itoa(client.RushErrors) +
			" wrong answers end it. In each position one move wins. Type a move, such as A5, or leave."
	}
	x.out.printLine(e.Name()+".", about)
	x.ask()
	return nil
}

// ask prints the current question and its boards.
func (x *exercises) ask() {
	switch q, _ := x.open.Question(); x.open.Kind {
	case client.Rush:
		x.out.printLine(q.Title+".", boardsText(q.Position))
		return
	case client.Visit:
		x.out.printLine(strings.NewReplacer("a capital letter", "type a letter", "press", "type",
			"1 to 9.", "1 to 9. 7, 8 and 9 are the top row.").Replace(q.Prompt))
	default:
		x.out.printLine(q.Title+".", q.Prompt)
	}
	x.boards(nil)
}

// boardsText describes all boards in one line.
func boardsText(p rules.Position) string {
	all := make([]string, p.Variant().Boards())
	for i := range all {
		all[i] = boardText(p, i)
	}
	return join(all...)
}

// boards prints the boards of the question, or a named one.
func (x *exercises) boards(words []string) {
	q, _ := x.open.Question()
	p, found := q.Position, false
	for i := range p.Variant().Boards() {
		if len(words) == 0 || strings.EqualFold(words[0], rules.BoardName(i)) {
			x.out.printLine(boardText(p, i))
			found = true
		}
	}
	if !found {
		x.out.printLine(noSuchBoard(p.Variant()))
	}
}

// answer takes a typed move as the answer, and asks the next question.
func (x *exercises) answer(word string) {
	x.catchUp(false)
	if x.open == nil {
		return
	} else if x.isVisit() && x.open.IsAnswered() {
		x.out.printLine("Type try for the match on two boards, or leave.")
		return
	}
	q, _ := x.open.Question()
	m, err := q.Position.Variant().ParseMove(word)
	if err != nil {
		x.out.report(err)
		return
	}
	ctx, cancel := x.player.callContext()
	defer cancel()
	f, err := x.open.Answer(ctx, m)
	if err != nil {
		x.out.report(err)
		return
	}
	x.open.Take(f)
	if x.isVisit() {
		x.goOnVisit(f)
		return
	} else if x.open.Kind == client.Rush {
		f.Text = wording.OneOf(x.open.Errors(), client.RushErrors) + " errors."
		if f.Right {
			f.Text = wording.SolvedText(x.open.Solved(), 0)
		}
		if left := x.left(); left > 0 {
			f.Note = wording.ClockLeft(left) + " left."
		}
	}
	x.out.printLine(wording.Verdict(f.Right), f.Text, f.Note)
	if !f.Again {
		x.open.Next()
		x.goOn()
	}
}

// goOn asks the next question, or finishes.
func (x *exercises) goOn() {
	if x.open.IsOver() {
		x.finish()
		return
	}
	x.ask()
}

func (x *exercises) left() time.Duration { return x.open.Ends.Sub(x.player.manager.Now()) }

func (x *exercises) skipCommand(_ []string) {
	switch {
	case x.open == nil:
		x.out.printLine("There is nothing to skip.")
	case x.open.Skip():
		x.goOn()
	default:
		x.out.printLine("Only slips can be skipped. Type leave to stop here.")
	}
}

// situation returns the situation of a player with an exercise.
func (x *exercises) situation() situations {
	switch {
	case x.open.Kind == client.Slips:
		return atSlips
	case x.open.Kind == client.Lesson:
		return atLesson
	}
	return atExercise
}

// leave ends the exercise. The answers so far are recorded already.
func (x *exercises) leave() {
	switch {
	case x.isVisit():
		x.out.printLine("Type try to see it again.")
		x.endVisit()
	case x.open.Kind == client.Rush:
		x.finish()
	default:
		kept := ""
		if x.open.IsKept() {
			kept = "Your answers are kept."
		}
		x.out.printLine("You have left.", kept)
		x.open = nil
	}
}

// finish prints the result of the exercise, and ends it.
func (x *exercises) finish() {
	e := x.open
	x.open = nil
	ctx, cancel := x.player.callContext()
	defer cancel()
	s, err := e.Summary(ctx)
	if err != nil {
		x.out.report(err)
		return
	}
	end := " is over."
	if e.Kind == client.Slips {
		end = " are over."
	}
	x.out.printLine(e.Name()+end, join(s.Lines...), wording.WeekInWords(s.Week))
	if e.Kind == client.Rush {
		for i, f := range e.Done() {
			x.out.printLine("Error "+strconv.Itoa(i+1)+":", boardsText(f.Position), f.Text)
		}
		if len(s.Best) > 0 {
			x.out.printLine("Best of the day:")
		}
		for i, r := range s.Best {
			x.out.printLine(strconv.Itoa(i+1) + ": " + playerName(r.Player) + ", " + strconv.Itoa(r.Solved) + ".")
		}
	}
	x.out.printLine(s.ShareLine(x.player.host, true))
}

// catchUp ends a rush when its time is over. With a match it ends every exercise.
func (x *exercises) catchUp(hasMatch bool) {
	switch {
	case hasMatch && x.isVisit():
		x.open = nil
	case x.open == nil:
	case x.open.Kind == client.Rush && (hasMatch || x.open.IsOver()):
		x.finish()
	case hasMatch:
		x.leave()
	}
}

// endsAt returns when a rush ends, by time.Now, and zero for never.
func (x *exercises) endsAt() time.Time {
	if x.open == nil || x.open.Ends.IsZero() {
		return time.Time{}
	}
	return time.Now().Add(x.left())
}

// exerciseCommand returns the command that begins an exercise.
func (s *session) exerciseCommand(at start.Kind) func([]string) {
	return func(words []string) {
		day := 0
		if len(words) > 0 && at == start.Daily {
			n, err := strconv.Atoi(words[0])
			if err != nil || n < 1 {
				s.out.printLine("Type daily, or daily and the number of an earlier day, such as daily 1.")
				return
			}
			day = n
		}
		s.unlessBusy(func() error { return s.exercises.begin(at, day) })
	}
}
