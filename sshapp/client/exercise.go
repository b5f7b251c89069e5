package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/progress"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/puzzle"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

var (
	// ErrNoQuestion says that an exercise is over, or that its question has been answered already.
	ErrNoQuestion = errors.New("there is no question to answer now")
	// ErrTooQuick says that an answer of a rush came within RushPause of its question.
	ErrTooQuick = errors.New("look at the boards first, then answer again")
	// ErrNoDay says that a day has no puzzle, or not yet.
	ErrNoDay = errors.New("there is no such daily puzzle")
	// ErrNoSlips says that the player has no slip to answer today.
	ErrNoSlips = errors.New("none of your slips waits today")
)

const (
	// RushTime is the time of a rush.
	RushTime = 3 * time.Minute
	// RushErrors is the number of wrong answers that end a rush.
	RushErrors = 3
	// RushPause is the shortest time from a question of a rush to its answer. Only programs are faster.
	RushPause = 300 * time.Millisecond
	// rushSaveInterval is the shortest time between the records of a run in progress.
	rushSaveInterval = 3 * time.Second
	// DailyGrace is the time after the end of a day for answers that count. After that, the day is practice.
	DailyGrace = 10 * time.Minute
)

// ExerciseKind tells what an [Exercise] asks for.
type ExerciseKind uint8

// The kinds of exercises.
const (
	Daily      ExerciseKind = iota // the puzzles of a day until DailyGrace after its end, with one recorded try each
	Practice                       // the puzzles of an earlier day, as often as the player likes
	Rush                           // puzzles until RushTime is over, or RushErrors answers were wrong
	Slips                          // positions of the player's matches with a missed win
	Lesson                         // the steps of a lesson, where a wrong answer can be tried again, and its puzzles
	LessonTest                     // puzzles that skip a lesson if all are solved
	Visit                          // the two matches of the first visit
)

// Exercises opens exercises for one player. A program without a server sets only Now.
type Exercises struct {
	Player   match.Player
	Progress *store.Progress  // nil to keep no progress
	Now      func() time.Time // such as manager.Manager.Now
	InTurn   func(do func())  // runs do in a turn of limit.Turns or drops do, nil to run do at once
	IsRated  bool             // the player is in a rated pair, and gets no slips
}

// Exercises returns the exercises of a player. If db is nil, the Exercises keep no progress.
func (s *Session) Exercises(player match.Player, db *store.Progress, inTurn func(do func())) Exercises {
	return Exercises{player, db, s.manager.Now, inTurn, s.manager.PlaysRated(player.ID)}
}

// inTurn calls do through InTurn. If InTurn drops do, because the client has left, the result is an error.
func (x Exercises) inTurn(do func()) error {
	if x.InTurn == nil {
		do()
		return nil
	}
	err := context.Canceled
	x.InTurn(func() {
		do()
		err = nil
	})
	return err
}

// IsKept reports whether the store keeps the player's progress. A guest's progress is not kept.
func (x Exercises) IsKept() bool { return x.Progress.Keeps(x.Player) }

// Today tells which exercises wait for a player. A front end makes lines of its lobby from a Today, with
// [wording.DailyWaits] and [wording.SlipsWait].
type Today struct {
	Number   int // of the day's puzzles
	Answered int // number of the day's puzzles that the player has answered
	Streak   progress.Streak
	Slips    int // that wait
	BestRush int // best run of today, 0 without one
	State    progress.State
	Day      progress.Day // of all players, zero if it cannot be read
}

// Today reads which exercises wait for the player. Without kept progress, the player counts as new.
func (x Exercises) Today(ctx context.Context) (Today, error) {
	day := puzzle.Number(x.Now())
	state, err := x.Progress.State(ctx, x.Player)
	answered := slices.DeleteFunc(slices.Clone(state.Answers), func(a progress.Answer) bool { return a.Day != day })
	all, _ := x.Progress.Day(ctx, day) // without it, the lobby says less
	return Today{
		day, len(answered), state.Streak(day), len(state.WaitingSlips(day)), state.BestOn(day), state, all,
	}, err
}

// Exercise asks one player for moves, question by question. For each [Question], a front end
//   - calls Answer with the player's move, and gets a [Feedback],
//   - passes the Feedback to Take and shows it,
//   - calls Next, at once if the Feedback has no Text.
//
// After the last question Question reports false, and Summary returns the result.
//
// Answer records the answer before it returns. Of a rush, Answer records the run from time to time, and Summary records
// the rest. The puzzles of a lesson count together, after the last one. After a late answer to Daily, Take makes the
// exercise Practice. A session may drop an Exercise at any time, also in the middle of a rush. An Exercise holds no
// solution before the answer.
//
// During Take, Next, Skip and Back, no other goroutine may use an Exercise. The other methods only read it. A front end
// can therefore draw an Exercise during a call of Answer or Summary.
type Exercise struct {
	Kind ExerciseKind
	Day  int       // day of the puzzles and of the answers, also after midnight
	Ends time.Time // end of a rush by the clock Exercises.Now, else zero

	exercises Exercises
	questions []Question     // nil for a rush
	run       *puzzle.Run    // of a rush
	state     progress.State // when the exercise was opened
	lesson    lesson.Lesson  // of a lesson or its test
	visit     lesson.Visit   // of Visit
	askedAt   time.Time      // when the current question came
	savedAt   time.Time      // when Answer last recorded the run, or zero
	index     int            // of the current question
	question  Question
	answer    *Feedback // to the current question, nil before Take
	solved    int
	done      []Feedback // in the order of the questions, of a rush only the wrong answers
}

// Question asks for a move that wins.
type Question struct {
	Position rules.Position
	Title    string // such as "2 of 3"
	Prompt   string // sentences
	// RedPrompt replaces Prompt on a screen with killing cells in red, unless it is "".
	RedPrompt string
	Last      rules.Move // the opponent's last move in Visit, or the zero move

	step *lesson.Step   // of a lesson or its test
	slip *progress.Slip // of Slips
}

// Feedback judges an answer, and holds the solution unless the player can answer again.
type Feedback struct {
	Question
	Move   rules.Move // the answer, of a daily puzzle the recorded one
	Right  bool
	Better rules.Move     // the winning move with the easiest reason to see
	Share  progress.Share // how all accounts answered, zero if it is not known
	Text   string         // the reason, as sentences without a verdict
	Note   string         // a further sentence, such as "61 of 140 found it.", or ""
	Again  bool           // a wrong answer to a step of a lesson. The question stays open.

	visit     lesson.Visit
	index     int       // of the question, from 0
	following Question  // comes next
	goesOn    bool      // following belongs to the step of the question
	isLate    bool      // the day of a daily puzzle is closed
	savedAt   time.Time // when Answer recorded the run, or zero
}

// Open opens an exercise of the kind that at names. With start.Daily, n is the day as in Puzzles. With start.Learn, n
// is the number of a lesson as in Lesson. start.Rush and start.Slips ignore n.
func (x Exercises) Open(ctx context.Context, at start.Kind, n int) (*Exercise, error) {
	switch at {
	case start.Rush:
		return x.Rush(ctx)
	case start.Slips:
		return x.Slips(ctx)
	case start.Learn:
		return x.Lesson(ctx, n)
	default:
		return x.Puzzles(ctx, n)
	}
}

// open reads the player's progress for a new exercise without questions.
func (x Exercises) open(ctx context.Context, kind ExerciseKind) (*Exercise, error) {
	now := x.Now()
	state, err := x.Progress.State(ctx, x.Player)
	return &Exercise{Kind: kind, Day: puzzle.Number(now), exercises: x, state: state, askedAt: now}, err
}

// ask adds a question to e.
func (e *Exercise) ask(q Question) { e.questions = append(e.questions, q) }

// begin asks question i first.
func (e *Exercise) begin(i int) *Exercise {
	e.index, e.question = i, e.questionAt(i)
	return e
}

// Puzzles opens the puzzles of a day. 0 is today. Until DailyGrace after its end a day gives Daily, and then
// Practice. Daily begins at the first puzzle that the player has not answered, and is over at once if there is no such
// puzzle. The errors are [ErrNoDay] and those of the store.
func (x Exercises) Puzzles(ctx context.Context, day int) (*Exercise, error) {
	e, err := x.open(ctx, Daily)
	if err != nil {
		return nil, err
	}
	if day != 0 && (day < 1 || day > e.Day) {
		return nil, fmt.Errorf("%w: want 1 to %d, today's", ErrNoDay, e.Day)
	} else if day != 0 {
		e.Day = day
	}
	prompt := wording.OneTry
	if e.isClosed() {
		e.Kind, prompt = Practice, wording.OneWins
	}
	var puzzles [puzzle.PerDay]puzzle.Puzzle
	if err := x.inTurn(func() { puzzles, _ = puzzle.Day(e.Day) }); err != nil { // The day is valid.
		return nil, err
	}
	for _, p := range puzzles {
		e.ask(Question{Position: p.Position(), Prompt: prompt})
	}
	e.begin(0)
	for _, a := range e.state.AnswersOn(e.Day) {
		if e.Kind == Practice || a.At.IsZero() {
			break
		}
		judged, err := puzzle.Check(e.question.Position, a.Move)
		if err != nil {
			return nil, err
		}
		e.Take(e.withShare(ctx, e.feedback(judged)))
		e.Next()
	}
	return e, nil
}

// isClosed reports whether answers to the puzzles of the day no longer count.
func (e *Exercise) isClosed() bool {
	return !e.exercises.Now().Before(puzzle.Begin(e.Day + 1).Add(DailyGrace))
}

// Rush begins a run against the clock. The errors are those of the store.
func (x Exercises) Rush(ctx context.Context) (*Exercise, error) {
	e, err := x.open(ctx, Rush)
	if err == nil {
		err = x.inTurn(func() { e.run = puzzle.Rush(rand.Text()) })
	}
	if err != nil {
		return nil, err
	}
	e.Ends = e.askedAt.Add(RushTime)
	return e.begin(0), nil
}

// Slips opens the player's slips that wait today. The errors are [ErrNoSlips], those of the store, and [match.ErrRated]
// during a rated pair, because a slip of its first game could help in the second.
func (x Exercises) Slips(ctx context.Context) (*Exercise, error) {
	if x.IsRated {
		return nil, match.ErrRated
	}
	e, err := x.open(ctx, Slips)
	if err != nil {
		return nil, err
	}
	for _, s := range e.state.WaitingSlips(e.Day) {
		e.ask(Question{Position: s.Position, Prompt: wording.SlipPrompt(s), slip: &s})
	}
	next := e.state.NextSlip(e.Day)
	switch {
	case len(e.questions) > 0:
		return e.begin(0), nil
	case next > 0:
		return nil, fmt.Errorf("%w: the next comes in %s", ErrNoSlips, wording.Count(next-e.Day, "day", "days"))
	default:
		return nil, fmt.Errorf("%w: a win that you miss in a match comes here a day later", ErrNoSlips)
	}
}

// Question returns the current question. After the end of the exercise the result is false. After an answer the
// question stays until Next.
func (e *Exercise) Question() (Question, bool) { return e.question, !e.IsOver() }

// IsOver reports whether the exercise has no further question. A rush is over after RushTime even without an answer.
func (e *Exercise) IsOver() bool {
	if e.Kind == Rush {
		return e.Errors() >= RushErrors || !e.exercises.Now().Before(e.Ends)
	}
	return e.index >= e.Size()
}

// IsAnswered reports whether the current question was answered. Next is due then.
func (e *Exercise) IsAnswered() bool { return e.answer != nil }

// IsKept reports whether the store keeps the answers.
func (e *Exercise) IsKept() bool {
	return e.exercises.IsKept() && e.Kind != Practice && e.Kind != LessonTest
}

// Solved returns the number of right answers.
func (e *Exercise) Solved() int { return e.solved }

// Errors returns the number of wrong answers.
func (e *Exercise) Errors() int {
	if e.Kind == Rush {
		return len(e.done)
	}
	return len(e.done) - e.solved
}

// Questions returns all questions in their order, without titles, nil for a rush.
func (e *Exercise) Questions() []Question { return e.questions }

// Size returns the number of questions, 0 for a rush.
func (e *Exercise) Size() int { return len(e.questions) }

// Step returns the number of questions before the current one. Of a lesson it counts those of earlier sessions.
func (e *Exercise) Step() int { return e.index }

// Best returns the player's best runs of today and ever, with this one.
func (e *Exercise) Best() (today, ever int) {
	return max(e.state.BestOn(e.Day), e.solved), max(e.state.BestEver(), e.solved)
}

// Done returns the judged answers so far, without the steps of a lesson. For the puzzles of today, Done includes the
// answers of earlier sessions. Of a rush, Done returns the wrong answers only.
func (e *Exercise) Done() []Feedback { return e.done }

// Marks returns the marks of all questions in their order. Of a rush, Marks returns RushErrors marks, a wrong one for
// each error and then open ones.
func (e *Exercise) Marks() []wording.Mark {
	if e.Kind == Rush {
		marks := make([]wording.Mark, RushErrors)
		for i := range e.done {
			marks[i] = wording.Wrong
		}
		return marks
	}
	marks := make([]wording.Mark, e.Size())
	for _, f := range e.done {
		marks[f.index] = wording.NewMark(f.Right)
	}
	return marks
}

// Answer records and judges a move, and returns the feedback to pass to Take. The errors are [ErrNoQuestion],
// [ErrTooQuick], those of [rules.Position.Check], and those of the store. After an error the player may answer again.
func (e *Exercise) Answer(ctx context.Context, m rules.Move) (f Feedback, err error) {
	x, now := e.exercises, e.exercises.Now()
	if e.IsAnswered() || e.IsOver() {
		return f, ErrNoQuestion
	} else if e.Kind == Rush && now.Sub(e.askedAt) < RushPause {
		return f, ErrTooQuick
	} else if e.Kind == Visit {
		return e.playVisit(m)
	} else if f, err = e.judge(m); err != nil {
		return f, err
	}
	switch e.Kind {
	case Daily:
		return e.recordDaily(ctx, f)
	case Practice:
		f = e.withShare(ctx, f)
	case Rush:
		if f.Right && now.Sub(e.savedAt) >= rushSaveInterval {
			f.savedAt = now
			err = e.saveRun(ctx, e.solved+1)
		}
	case Slips:
		s := f.slip
		after, err := x.Progress.AnswerSlip(ctx, x.Player, s.Match, s.Ply, f.Right, e.Day)
		if errors.Is(err, progress.ErrNoSlip) { // newer slips have taken its place since it was read
			return f, nil
		}
		f.Note = wording.SlipComesBack(after, e.Day)
		return f, err
	case Lesson, LessonTest:
		err = e.recordStep(ctx, &f)
	}
	return f, err
}

// judge judges m in a turn.
func (e *Exercise) judge(m rules.Move) (f Feedback, err error) {
	dropped := e.exercises.inTurn(func() {
		var a puzzle.Answer
		if a, err = puzzle.Check(e.question.Position, m); err == nil {
			f = e.feedback(a)
		}
	})
	return f, errors.Join(err, dropped)
}

func (e *Exercise) feedback(a puzzle.Answer) Feedback {
	f := Feedback{
		Question: e.question, Move: a.Review.Move, Right: a.IsRight(), Better: a.Clearest.Move, Text: wording.Answer(a),
		index: e.index, following: e.questionAt(e.index + 1),
	}
	if e.Kind == Lesson && !f.Right && !f.step.IsPuzzle {
		f.Better, f.Text, f.Note, f.Again = rules.Move{}, wording.Refuted(a), "Try again.", true
	}
	return f
}

// recordDaily stores an answer to a daily puzzle. If another session has answered the puzzle first, the result judges
// that first answer.
func (e *Exercise) recordDaily(ctx context.Context, f Feedback) (Feedback, error) {
	if e.isClosed() {
		f.isLate, f.Text = true, "The day is over, so this answer does not count. "+f.Text
		return f, nil
	}
	given := progress.Answer{Day: e.Day, Index: e.index, Move: f.Move, Right: f.Right, At: e.exercises.Now()}
	first, err := e.exercises.Progress.Answer(ctx, e.exercises.Player, given)
	if err == nil && first.Move != f.Move {
		f, err = e.judge(first.Move)
		f.Text = "Your first answer counts, from another session. " + f.Text
	}
	if err != nil {
		return f, err
	}
	return e.withShare(ctx, f), nil
}

// withShare adds the answers of all accounts to f. If the store cannot be read, withShare returns f as it is.
func (e *Exercise) withShare(ctx context.Context, f Feedback) Feedback {
	all, _ := e.exercises.Progress.Shares(ctx, e.Day)
	f.Share, f.Note = all[f.index], wording.FoundIt(all[f.index])
	return f
}

// saveRun records the rush as a run with a number of solved puzzles, if that is the best of today.
func (e *Exercise) saveRun(ctx context.Context, solved int) error {
	x := e.exercises
	if solved <= e.state.BestOn(e.Day) {
		return nil
	}
	return x.Progress.FinishRun(ctx, x.Player, progress.Run{Day: e.Day, Solved: solved, At: x.Now()})
}

// Take counts an answer from the feedback that Answer returned. The question stays the current one until Next.
func (e *Exercise) Take(f Feedback) {
	if f.Again {
		return
	}
	e.answer = &f
	if f.isLate {
		e.Kind = Practice
	}
	if !f.savedAt.IsZero() {
		e.savedAt = f.savedAt
	}
	if e.visit = f.visit; e.Kind == Visit || f.step != nil && !f.step.IsPuzzle {
		return
	}
	if f.Right {
		e.solved++
	}
	if e.Kind != Rush || !f.Right {
		e.done = append(e.done, f)
	}
}

// Next goes to the next question. Before Take it has no effect.
func (e *Exercise) Next() {
	if e.answer == nil {
		return
	}
	if !e.answer.goesOn {
		e.index++
	}
	e.question, e.answer, e.askedAt = e.answer.following, nil, e.exercises.Now()
}

// Skip goes to the next question without an answer. Only slips can be skipped, and they stay due. For other kinds the
// result is false.
func (e *Exercise) Skip() bool {
	if e.Kind != Slips || e.IsOver() {
		return false
	}
	e.answer = nil
	e.begin(e.index + 1)
	return true
}

// Back goes back to the beginning of the current step of a lesson, and from there to the step before. For other kinds,
// and after the first of a lesson's puzzles, the result is false.
func (e *Exercise) Back() bool {
	switch {
	case e.Kind != Lesson, e.IsOver(), len(e.done) > 0:
		return false
	case e.answer == nil && e.question == e.questionAt(e.index):
		e.index = max(0, e.index-1)
	}
	e.answer = nil
	e.begin(e.index)
	return true
}

// questionAt returns question i, or the zero Question after the last one.
func (e *Exercise) questionAt(i int) Question {
	if e.Kind == Rush {
		p, _ := e.run.Puzzle(i + 1) // The number is valid.
		return Question{Position: p.Position(), Title: strconv.Itoa(i + 1), Prompt: wording.OneWins}
	} else if i >= e.Size() {
		return Question{}
	}
	q := e.questions[i]
	q.Title = wording.OneOf(i+1, e.Size())
	return q
}

// Name names the exercise, as in "Daily 149, Thursday".
func (e *Exercise) Name() string {
	switch e.Kind {
	case Rush:
		return "Rush"
	case Slips:
		return "Your slips"
	case Lesson:
		return wording.LessonName(e.lesson)
	case LessonTest:
		return wording.LessonName(e.lesson) + ", test"
	case Visit:
		return ""
	case Daily, Practice:
	}
	return wording.DailyName(e.Day)
}

// Summary is the result of an exercise.
type Summary struct {
	Lines  []string // sentences, the most important one first
	Streak progress.Streak
	Week   []wording.Mark     // of Daily, from Monday up to the day of the exercise, nil for a guest
	Next   time.Time          // of Daily, when the next puzzles come
	Best   []progress.BestRun // of Rush, the board of the day

	day   int            // of Daily and Practice
	marks []wording.Mark // of the puzzles, nil before the last answer
}

// Summary returns the result so far, and records the run of a rush. The error is that of the store.
func (e *Exercise) Summary(ctx context.Context) (s Summary, err error) {
	x, asked := e.exercises, e.Size()
	if e.Kind == Rush {
		if err = e.saveRun(ctx, e.solved); err == nil {
			s.Best, err = x.Progress.BestRuns(ctx, e.Day)
		}
		if err != nil {
			return s, err
		}
	}
	state, err := x.Progress.State(ctx, x.Player)
	if err != nil {
		return s, err
	}
	s.Streak = state.Streak(puzzle.Number(x.Now()))
	if e.Kind <= Practice && e.IsOver() {
		s.day, s.marks = e.Day, e.Marks()
	}
	var more []string
	switch e.Kind {
	case Daily:
		s.Next = puzzle.Begin(e.Day + 1)
		if x.IsKept() {
			s.Week = week(state, e.Day)
		}
		row := wording.Streak(s.Streak)
		if row != "" {
			row += ". "
		}
		more = []string{row + wording.NextDaily(s.Next.Sub(x.Now())), wording.Flawless(s.Streak)}
	case Practice:
		more = []string{wording.PracticeDone}
	case Rush:
		more = []string{wording.RushBest(e.Best())}
	case Slips:
		more = []string{wording.SlipsWait(len(state.WaitingSlips(e.Day)))}
	case Lesson, LessonTest:
		asked, more = len(e.done), []string{wording.LessonOver(e.lesson, e.Kind == LessonTest, e.IsPassed())}
	}
	s.Lines = append([]string{wording.SolvedText(e.solved, asked)}, more...)
	switch {
	case e.Kind == Practice, x.IsKept():
	case x.Progress == nil:
		s.Lines = append(s.Lines, wording.NotKept)
	default:
		s.Lines = append(s.Lines, wording.GuestKeeps)
	}
	s.Lines = slices.DeleteFunc(s.Lines, func(line string) bool { return line == "" })
	return s, nil
}

// week returns the marks of the days of a week up to a day, from Monday on.
func week(state progress.State, day int) []wording.Mark {
	sinceMonday := (int(puzzle.Begin(day).Weekday()) + 6) % 7
	marks := make([]wording.Mark, sinceMonday+1)
	for i := range marks {
		of := state.AnswersOn(day - sinceMonday + i)
		isOpen := func(a progress.Answer) bool { return a.At.IsZero() }
		isWrong := func(a progress.Answer) bool { return !a.Right }
		if !slices.ContainsFunc(of[:], isOpen) {
			marks[i] = wording.NewMark(!slices.ContainsFunc(of[:], isWrong))
		}
	}
	return marks
}

// ShareLine returns one line to share the marks of Daily or Practice, without a move. host is the server, or
// [wording.NoHost]. ascii replaces the signs. The result is "" before the last answer, and for other kinds.
func (s Summary) ShareLine(host string, ascii bool) string {
	if s.marks == nil {
		return ""
	}
	return wording.DailyShareLine(s.day, s.marks, s.Streak.Days, host, ascii)
}
