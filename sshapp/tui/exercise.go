package tui

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/puzzle"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// exerciseScreen asks the questions of an exercise. While a command reads the exercise, pending is set, and the screen
// does not change the exercise.
type exerciseScreen struct {
	env      *env
	exercise *client.Exercise
	result   client.Summary // as read by openExercise, replaced by readResult at the end
	cursor   cursor
	pending  bool             // a command uses exercise
	answer   *client.Feedback // the last one to the current question, nil before it
	status   string           // why the last key had no effect
	flash    *client.Feedback // the last answer of a rush, shown during momentAnswer
	reason   int              // the answer that is explained at the end, counted from 1, or 0
	shownAt  time.Time        // when the question or the result came up
	greeting string           // of the lobby after a skipped visit

	cachedActions cachedActions[questionState]
}

func (e *env) exercises() client.Exercises { return e.client.Exercises(e.player, e.progress, e.inTurn) }

func toLesson(n int) navigation { return openExercise(start.Learn, n) }

func newVisit(e *env, greeting string) *exerciseScreen {
	x := &exerciseScreen{env: e, exercise: e.exercises().Visit(), cursor: cursor{cell: 5}, greeting: greeting}
	x.begin()
	return x
}

func toVisit(r *Root) tea.Cmd { return r.show(newVisit(r.env, "")) }

func (x *exerciseScreen) isVisit() bool { return x.exercise.Kind == client.Visit }

// openExercise returns a navigation to an exercise. See [client.Exercises.Open].
func openExercise(at start.Kind, n int) navigation {
	return openExerciseWith(func(ctx context.Context, x client.Exercises) (*client.Exercise, error) {
		return x.Open(ctx, at, n)
	})
}

// openExerciseWith shows an exercise, unless the player has gone to another screen before it is open. One exercise
// opens at a time.
func openExerciseWith(open func(context.Context, client.Exercises) (*client.Exercise, error)) navigation {
	return func(r *Root) tea.Cmd {
		if r.opening {
			return nil
		}
		r.opening = true
		from, all, shown := r.screen, r.env.exercises(), &exerciseScreen{env: r.env}
		return r.env.ask(func(ctx context.Context) (err error) {
			if shown.exercise, err = open(ctx, all); err == nil {
				shown.result, err = shown.exercise.Summary(ctx)
			}
			return err
		}, func(r *Root, err error) tea.Cmd {
			r.opening = false
			switch {
			case errors.Is(err, client.ErrNoSlips), errors.Is(err, client.ErrNoDay):
				return r.say(wording.Capital(err.Error()) + ".")
			case err != nil:
				return r.showFailure(failedMsg{nil, err})
			case r.screen != from:
				return nil
			}
			shown.begin()
			return r.show(shown)
		})
	}
}

// ask returns a command that calls f and passes its error to then. f runs in another goroutine.
func (e *env) ask(f func(context.Context) error, then func(*Root, error) tea.Cmd) tea.Cmd {
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		err := f(ctx)
		return navigation(func(r *Root) tea.Cmd { return then(r, err) }), nil
	})
}

// begin prepares the screen for the current question, or for the result.
func (x *exerciseScreen) begin() {
	q, isOpen := x.exercise.Question()
	if x.shownAt, x.answer = time.Now(), nil; !x.isVisit() || q.Position.Plies() <= 1 {
		x.cursor = cursor{cell: 5}
	}
	if isOpen {
		x.cursor = x.cursor.skipDead(q.Position).skipFilled(q.Position)
	}
	if x.isVisit() {
		x.cursor = x.cursor.skipKilling(q.Position)
	}
}

// enter starts the ticks for the clock of a rush.
func (x *exerciseScreen) enter() tea.Cmd {
	if x.exercise.Kind != client.Rush {
		return nil
	}
	return x.env.tickIn(time.Second, x)
}

func (x *exerciseScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		switch {
		case x.exercise.Errors() >= client.RushErrors:
			return nil
		case x.pending || !x.exercise.IsOver():
			return x.env.tickIn(time.Second, x)
		}
		x.status = ""
		x.begin()
		return x.readResult()
	case tea.MouseClickMsg:
		if _, answer := x.shown(); answer == nil && !x.exercise.IsOver() {
			return x.placing().click(msg)
		}
	case tea.KeyPressMsg:
		x.status = ""
		return r.runAction(x.actions())
	}
	return nil
}

// take takes an answer that is recorded. A rush goes on at once.
func (x *exerciseScreen) take(f *client.Feedback) tea.Cmd {
	x.answer = f
	x.exercise.Take(*f)
	x.noteDaily()
	switch {
	case f.Text == "":
		return x.goOn((*client.Exercise).Next)
	case x.exercise.Kind != client.Rush:
		x.shownAt = time.Now()
		return nil
	}
	x.flash = f
	cmd := x.goOn((*client.Exercise).Next)
	cmd = batch(cmd, moment{kind: momentAnswer}.begin(x.env))
	x.shownAt = x.shownAt.Add(x.env.moment.kind.totalDuration())
	return cmd
}

// noteDaily keeps the marks for the text after quitting.
func (x *exerciseScreen) noteDaily() {
	if x.exercise.Kind != client.Daily {
		return
	}
	x.env.daily = "daily " + strconv.Itoa(x.exercise.Day) + " " + wording.Marks(x.exercise.Marks(), false)
	if days := x.result.Streak.Days; days > 0 {
		x.env.daily += "  streak " + strconv.Itoa(days)
	}
}

// goOn goes to another question with next, and reads the result after the last one.
func (x *exerciseScreen) goOn(next func(*client.Exercise)) tea.Cmd {
	if x.pending {
		return nil
	}
	next(x.exercise)
	x.begin()
	return x.readResult()
}

// readResult reads the result of an exercise that is over. The visit has no result.
func (x *exerciseScreen) readResult() tea.Cmd {
	if !x.exercise.IsOver() {
		return nil
	} else if x.isVisit() {
		return func() tea.Msg { return navigation(x.leave) }
	}
	var result client.Summary
	return x.call(func(ctx context.Context) (err error) {
		result, err = x.exercise.Summary(ctx)
		return err
	}, func() tea.Cmd {
		x.result = result
		x.noteDaily()
		return nil
	})
}

// call returns a command that calls f, and then then if the exercise is still shown. f runs in another goroutine, and
// may only read the exercise.
func (x *exerciseScreen) call(f func(context.Context) error, then func() tea.Cmd) tea.Cmd {
	x.pending = true
	return x.env.ask(f, func(r *Root, err error) tea.Cmd {
		x.pending = false
		switch {
		case errors.Is(err, client.ErrNoQuestion): // the time is over
			return nil
		case errors.Is(err, client.ErrTooQuick):
			return x.lookFirst()
		case err != nil:
			return r.showFailure(failedMsg{nil, err})
		case r.screen != x:
			return nil
		}
		return then()
	})
}

// isAtEnd reports whether the result is shown.
func (x *exerciseScreen) isAtEnd() bool {
	return x.exercise.IsOver() && x.reason == 0 && !x.isFlashing()
}

func (x *exerciseScreen) isFlashing() bool {
	return x.flash != nil && x.env.moment.kind == momentAnswer
}

// shown returns the question on the screen, and the answer that is judged there, or nil.
func (x *exerciseScreen) shown() (client.Question, *client.Feedback) {
	switch {
	case x.isFlashing():
		return x.flash.Question, x.flash
	case x.reason > 0:
		f := &x.exercise.Done()[x.reason-1]
		return f.Question, f
	case x.answer != nil && !x.answer.Again:
		return x.answer.Question, x.answer
	}
	q, _ := x.exercise.Question()
	return q, nil
}

func (x *exerciseScreen) leaveAction() action {
	leave := action{key: &x.env.keys.lobby, short: "lobby", long: "to the lobby", run: x.leave}
	if x.exercise.LessonNumber() > 0 {
		leave.short, leave.long, leave.run = "lessons", "to the lessons", toLearnAt(x.exercise.LessonNumber())
	}
	return leave
}

func (x *exerciseScreen) actions() []action {
	e, keys := x.env, x.env.keys
	_, answer := x.shown()
	switch {
	case x.reason > 0:
		back := func(*Root) tea.Cmd {
			x.reason = 0
			return nil
		}
		return []action{
			{key: &keys.enter, short: "back", long: "back", run: back}, {key: &keys.lobby, long: "back", run: back},
		}
	case x.exercise.IsOver():
		return append(x.endActions(), x.leaveAction())
	case answer != nil && !x.isFlashing():
		next := "next"
		if x.isVisit() {
			next = [...]string{"yes", "to the lobby"}[x.exercise.Step()]
		}
		return []action{{key: &keys.enter, short: next, long: next, run: func(*Root) tea.Cmd {
			if x.isVisit() && x.isStray() {
				return nil
			}
			return x.goOn((*client.Exercise).Next)
		}}, x.leaveAction()}
	}
	q, _ := x.exercise.Question()
	return x.cachedActions.get(questionState{keys, e.isRoomy(), q.Position.Variant()}, x.questionActions)
}

// questionState holds the values that determine the actions of a question and can change during an exercise.
type questionState struct {
	keys    *keyMap
	isRoomy bool
	variant rules.Variant
}

func (x *exerciseScreen) questionActions(now questionState) []action {
	e, keys, leave := x.env, now.keys, x.leaveAction()
	isLesson, isSlip := x.exercise.Kind == client.Lesson, x.exercise.Kind == client.Slips
	switch {
	case x.exercise.Kind == client.Rush:
	case x.isVisit():
		leave.short, leave.long = e.either("skip, to play", "skip"), "skip"
	case x.exercise.LessonNumber() > 0:
		leave.short, leave.long = "leave", "leave"
		if isLesson && x.exercise.IsKept() {
			leave.short = e.either("leave, you return here", "leave")
		}
	default:
		leave.short, leave.long = e.either("later, nothing is lost", "later"), "later"
	}
	goOn := func(next func(*client.Exercise)) navigation {
		return func(*Root) tea.Cmd { return x.goOn(next) }
	}
	return append(x.placing().actions(now.variant),
		action{
			key: &keys.stepBack, short: textIf(isLesson, "back"), long: textIf(isLesson, "back one step"),
			run: goOn(func(e *client.Exercise) { e.Back() }),
		},
		action{
			key: &keys.skip, short: textIf(isSlip, "skip"), long: textIf(isSlip, "skip"),
			run: goOn(func(e *client.Exercise) { e.Skip() }),
		},
		x.placing().moveHint(), leave)
}

func (x *exerciseScreen) placing() placing {
	verb := "answer"
	if x.isVisit() {
		verb = "place an X"
	}
	return placing{
		env: x.env, cursor: &x.cursor, verb: verb, long: verb,
		shown: func() (rules.Position, draw.Arrangement) {
			q, _ := x.exercise.Question()
			return q.Position, x.boards(q)
		},
		say:   func(text string) { x.status = text },
		place: func(m rules.Move, _ placer) tea.Cmd { return x.place(m) },
	}
}

// endActions returns the actions after the last question. Keys that were pressed before the result came up have no
// effect.
func (x *exerciseScreen) endActions() []action {
	e, keys, kind := x.env, x.env.keys, x.exercise.Kind
	again, to := "lobby", navigation(toLobby)
	switch {
	case kind == client.Daily && puzzle.Number(e.now()) > x.exercise.Day:
		again, to = "today's puzzles", openExercise(start.Daily, 0) // midnight has passed
	case kind == client.Daily:
		again, to = "rush", openExercise(start.Rush, 0)
	case kind == client.Rush:
		again, to = "again", openExercise(start.Rush, 0)
	case kind == client.LessonTest && !x.exercise.IsPassed():
		again, to = "the lesson", toLesson(x.exercise.LessonNumber())
	case kind == client.Lesson && !x.exercise.IsPassed():
		again, to = "other puzzles", toLesson(x.exercise.LessonNumber())
	case x.exercise.LessonNumber() == progress.Lessons:
		again, to = "lessons", toLearn
	case kind == client.Lesson, kind == client.LessonTest:
		again, to = "next lesson", toLesson(x.exercise.LessonNumber()+1)
	}
	explained, explains := x.exercise.ExplainedBy(), ""
	if explained > 0 {
		explains = "lesson " + strconv.Itoa(explained) + e.either(" explains it", "")
	}
	why, share := textIf(len(x.exercise.Done()) > 0, "why"), textIf(x.shareLine() != "", "share")
	return []action{
		{key: &keys.enter, short: again, long: again, run: func(r *Root) tea.Cmd {
			if x.isStray() {
				return nil
			}
			return to(r)
		}},
		{key: &keys.digit, short: why, long: why, run: func(*Root) tea.Cmd {
			if n := e.pressedDigit(); n <= len(x.exercise.Done()) && !x.isStray() {
				x.reason = n
			}
			return nil
		}},
		{key: &keys.learn, short: explains, long: explains, run: func(r *Root) tea.Cmd {
			if explained == 0 || x.isStray() {
				return nil
			}
			return toLesson(explained)(r)
		}},
		{key: &keys.share, short: share, long: share, run: func(r *Root) tea.Cmd {
			if line := x.shareLine(); line != "" {
				return r.share(line)
			}
			return nil
		}},
	}
}

func (x *exerciseScreen) shareLine() string {
	return x.result.ShareLine(x.env.host, x.env.theme.Charset() != draw.Unicode)
}

// isStray reports whether the last key was pressed before the player could see the question or the result. In a rush
// the player is expected to be fast.
func (x *exerciseScreen) isStray() bool {
	wait := x.env.answerDelay()
	if x.isVisit() && x.answer == nil { // the answers of novice are no surprise
		return false
	} else if x.exercise.Kind == client.Rush && !x.exercise.IsOver() {
		const fastest = 100 * time.Millisecond
		wait = max(fastest, x.env.inFlight())
	}
	return x.env.attention.beganBefore(x.shownAt.Add(wait))
}

func (x *exerciseScreen) place(m rules.Move) tea.Cmd {
	q, _ := x.exercise.Question()
	x.cursor = cursor{board: int(m.Board), cell: m.Cell}
	if x.pending {
		return nil
	} else if x.isStray() {
		return x.lookFirst()
	} else if err := q.Position.Check(m); err != nil {
		x.status = wording.Explain(err).Short
		return nil
	}
	var f client.Feedback
	return x.call(func(ctx context.Context) (err error) {
		f, err = x.exercise.Answer(ctx, m)
		return err
	}, func() tea.Cmd { return x.take(&f) })
}

func (x *exerciseScreen) lookFirst() tea.Cmd {
	x.status = x.env.either("Look at the boards first, then press the key again.", "Look first, then press it again.")
	return nil
}

// leave goes to the lobby, and records a rush or the visit. A visit that a lost connection ends is shown again.
func (x *exerciseScreen) leave(r *Root) tea.Cmd {
	e, greeting, all := x.env, x.greeting, x.env.exercises()
	if x.isVisit() {
		e.visited = true
	}
	if x.isVisit() && (x.exercise.Step() > 0 || x.answer != nil) {
		learn, daily := e.keys.learn.Help().Key, e.keys.daily.Help().Key
		withKeys := strings.NewReplacer("learn", "learn ("+learn+")", "daily", "daily ("+daily+")")
		greeting = e.fit(withKeys.Replace(lesson.VisitDone), "You know the rule. Now learn to win: "+learn)
	}
	return batch(r.enterLobby(greeting), e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		switch x.exercise.Kind {
		case client.Rush:
			_, err := x.exercise.Summary(ctx)
			return nil, err
		case client.Visit:
			_ = all.MarkVisited(ctx) // after an error the account sees the visit once more
		}
		return nil, nil
	}))
}

// feedbackRows returns the number of rows for the feedback. The rows stay blank before an answer, and the boards keep
// their place.
func feedbackRows(s draw.Size) int { return s.Pick(3, 2, 2) }

// plan places the text above the boards, and the boards. In a window with little room the text loses sentences from
// its beginning. If that does not suffice, the feedback covers a part of the boards.
func (x *exerciseScreen) plan(q client.Question) (prompt string, area draw.Rect, boards draw.Arrangement) {
	s := draw.Size{Width: x.env.width, Height: x.env.height}
	m := s.Margin()
	area = draw.Rect{X: m, Y: s.Pick(1, 2, 3), Width: s.Width - 2*m}
	if marks := draw.Columns(x.marksText()); marks > 0 {
		area.Width -= marks + 1
	}
	if title := draw.Columns(q.Title) + 4; s.IsRoomy() && q.Title != "" {
		area.X, area.Width = area.X+title, area.Width-title
	}
	arrange := func(text string, rows int) draw.Arrangement {
		lines := draw.CountLines(text, area.Width)
		if x.isVisit() { // the boards keep their place
			lines = 2
		}
		y := area.Y + lines + s.Pick(0, 1, 1)
		room := draw.Rect{X: m, Y: y, Width: s.Width - 2*m, Height: s.Height - s.Bottom() - rows - y}
		return draw.Arrange(q.Position.Variant(), room)
	}
	if prompt = q.Prompt; q.RedPrompt != "" && x.env.theme.HasColors() {
		prompt = q.RedPrompt
	}
	prompt = lastSentences(prompt, func(text string) bool {
		boards = arrange(text, feedbackRows(s)+s.Pick(-1, 0, 1))
		return !boards.IsEmpty()
	})
	if boards.IsEmpty() {
		boards = arrange(prompt, 0)
	}
	return prompt, area, boards
}

func (x *exerciseScreen) boards(q client.Question) draw.Arrangement {
	_, _, boards := x.plan(q)
	return boards
}

func (x *exerciseScreen) draw(s *draw.Canvas) {
	name := x.title()
	if name != "" {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	name, day, _ := strings.Cut(name, ", ")
	if x.exercise.LessonNumber() > 0 {
		day = ""
		if !s.IsRoomy() {
			name, _, _ = strings.Cut(name, ":")
		}
	}
	if day != "" && s.IsRoomy() {
		name += " " + s.Glyphs.Dot + " " + day
	}
	corner := textIf(x.isVisit(), x.env.player.Name)
	area := s.Header(name, corner)
	x.drawStanding(s)
	if x.isAtEnd() {
		x.drawEnd(s, area)
		return
	}
	q, answer := x.shown()
	prompt, above, boards := x.plan(q)
	if s.IsRoomy() {
		s.Text(area.X, above.Y, draw.Strong, q.Title)
	}
	s.Paragraph(above.X, above.Y, above.Width, draw.Plain, prompt)
	x.drawMarks(s, area.X+area.Width-draw.Columns(x.marksText()), above.Y, x.marksText())
	shown := draw.Boards{
		Position: q.Position, Digits: x.env.settings.digits, Cursor: x.cursor.move(), Last: q.Last,
		Deadly: x.isVisit() || x.exercise.Kind == client.Lesson,
	}
	if answer != nil {
		shown = x.judged(answer)
	}
	shown.Draw(s, boards)
}

// judged shows an answer on its boards. If the answer kills a board, the boards are those before it, because a dead
// board hides its cells.
func (x *exerciseScreen) judged(f *client.Feedback) draw.Boards {
	shown := draw.Boards{Position: f.Position, Digits: x.env.settings.digits, Tried: f.Move, Final: x.isVisit()}
	if x.isFlashing() {
		if shown.Flash = draw.Bad; f.Right {
			shown.Flash = draw.Good
		}
		return shown
	}
	if next, err := f.Position.Play(f.Move); err == nil && !next.IsDead(int(f.Move.Board)) {
		shown.Position, shown.Last, shown.Tried = next, f.Move, rules.Move{}
	}
	if !f.Right {
		shown.Better = f.Better
	}
	return shown
}

// currentMark stands for the current question among the signs of [wording.Mark].
const currentMark = "▪"

// marksText returns the signs of all questions. The result is "" for a rush, because its marks stand in the header. In
// a small window the result is "" for slips too, because their text needs the room.
func (x *exerciseScreen) marksText() string {
	switch kind := x.exercise.Kind; {
	case kind == client.Rush, kind == client.Visit, kind == client.Slips && !x.env.isRoomy():
		return ""
	case kind == client.Lesson:
		return wording.Dots(x.exercise.Step(), x.exercise.Size())
	}
	marks, current, gap := x.exercise.Marks(), -1, x.env.either(" ", "")
	if !x.exercise.IsOver() && !x.exercise.IsAnswered() {
		current = x.exercise.Step()
	}
	var text strings.Builder
	text.Grow(len(marks) * (len(currentMark) + len(gap)))
	for i, mark := range marks {
		if i > 0 {
			text.WriteString(gap)
		}
		if i == current {
			text.WriteString(currentMark)
		} else {
			text.WriteString(mark.Sign(false))
		}
	}
	return text.String()
}

// drawMarks writes signs in their colours, and returns the column after them.
func (x *exerciseScreen) drawMarks(s *draw.Canvas, left, y int, text string) int {
	for i, char := range text {
		role, sign := draw.Faint, text[i:i+utf8.RuneLen(char)]
		switch sign {
		case wording.Right.Sign(false):
			role = draw.Good
		case wording.Wrong.Sign(false):
			role = draw.Bad
		case currentMark:
			role = draw.Cursor
		}
		left = s.Text(left, y, role, x.env.theme.Charset().Show(sign))
	}
	return left
}

// drawStanding writes the streak at the right of the header. A rush has its clock, errors and right answers there.
func (x *exerciseScreen) drawStanding(s *draw.Canvas) {
	switch text := wording.Streak(x.result.Streak); {
	case x.exercise.Kind == client.Daily:
		if !s.IsRoomy() {
			text, _, _ = strings.Cut(text, ",")
		}
		s.TextRight(s.Width-s.Margin(), 0, strings.ToLower(text))
		return
	case x.exercise.Kind != client.Rush || x.exercise.IsOver():
		return
	}
	left := x.exercise.Ends.Sub(x.env.now())
	clock, marks := wording.ClockFace(max(0, left)), wording.Marks(x.exercise.Marks(), false)
	rest := strconv.Itoa(x.exercise.Solved()) + " solved"
	if best := wording.RushBest(x.exercise.Best()); best != "" && s.IsRoomy() {
		rest += "   " + strings.ToLower(strings.TrimSuffix(best, "."))
	}
	gap := s.Pick(1, 3, 3)
	at := s.Width - s.Margin() - draw.Columns(clock+marks+rest) - 2*gap
	role := draw.Strong
	if left < shortClock {
		role = draw.Bad
	}
	s.Text(at, 0, role, clock)
	at = x.drawMarks(s, at+draw.Columns(clock)+gap, 0, marks)
	s.Text(at+gap, 0, draw.Faint, rest)
}

// drawEnd draws the result, with the boards of up to three answers beside each other, or a line for each answer.
func (x *exerciseScreen) drawEnd(s *draw.Canvas, area draw.Rect) {
	const mostBoards = 3
	area = area.Lower(s.Pick(0, 1, 2))
	done, sum := x.exercise.Done(), x.result
	y, lines := area.Y, sum.Lines
	if len(lines) > 0 {
		y, lines = s.Paragraph(area.X, y, area.Width, draw.Strong, lines[0])+s.Pick(0, 1, 2), lines[1:]
	}
	below := make([]paragraph, 0, len(lines)+3)
	if len(sum.Week) > 0 {
		below = append(below, paragraph{text: x.env.theme.Charset().Show(wording.Week(sum.Week, false))})
	}
	for _, line := range lines {
		below = append(below, paragraph{text: line})
	}
	if len(sum.Best) > 0 && s.IsRoomy() {
		text := "Best of the day:"
		for _, run := range sum.Best {
			if more := "  " + run.Player.Name + " " + strconv.Itoa(run.Solved); draw.Columns(text+more) <= area.Width {
				text += more
			}
		}
		below = append(below, paragraph{text: text})
	}
	if line := x.shareLine(); line != "" {
		short, _, _ := strings.Cut(line, "  ssh ")
		below = append(below, paragraph{role: draw.Faint, text: fit(area.Width, line, short)})
	}
	rows := 0
	for _, p := range below {
		rows += draw.CountLines(p.text, area.Width)
	}
	if s.IsRoomy() && len(done) <= mostBoards {
		room := draw.Rect{X: area.X, Y: y, Width: area.Width, Height: area.Y + area.Height - rows - 1 - y}
		y = x.drawAnswers(s, room)
	} else {
		for i := range done {
			if y+rows < area.Y+area.Height {
				x.drawEntry(s, area.X, y, area.Width, i)
				y++
			}
		}
	}
	y += s.Pick(0, 1, 1)
	drawText(s, draw.Rect{X: area.X, Y: y, Width: area.Width}, below, 0)
}

// drawAnswers draws the answers with their boards in columns as wide as the boards need, and returns the row below.
func (x *exerciseScreen) drawAnswers(s *draw.Canvas, area draw.Rect) int {
	const gap, mostBeside = 2, 3
	parts, full, end := 0, area.Width, area.Y
	for _, f := range x.exercise.Done() {
		parts += min(mostBeside, f.Position.Variant().Boards())
	}
	for i := range x.exercise.Done() {
		f := &x.exercise.Done()[i]
		width := (full + gap) * min(mostBeside, f.Position.Variant().Boards()) / parts
		column := draw.Rect{X: area.X, Y: area.Y + 1, Width: width - gap, Height: area.Height - 1}
		if shown := draw.Arrange(f.Position.Variant(), column); !shown.IsEmpty() {
			shown = shown.AtTop(column)
			judged := x.judged(f)
			judged.Digits = draw.NoDigits
			judged.Draw(s, shown)
			end = max(end, shown.Bounds().Y+shown.Bounds().Height)
		}
		x.drawEntry(s, column.X, area.Y, column.Width, i)
		area.X, end = area.X+width, max(end, area.Y+1)
	}
	return end
}

// drawEntry writes the number of an answer, its mark, and the move. A click on it explains the answer.
func (x *exerciseScreen) drawEntry(s *draw.Canvas, left, y, width, i int) {
	f, number := &x.exercise.Done()[i], strconv.Itoa(i+1)
	v := f.Position.Variant()
	s.Target.OnKey(draw.Rect{X: left, Y: y, Width: width, Height: 1}, number)
	at := s.Text(left, y, draw.Keycap, number) + 1
	at = x.drawMarks(s, at, y, wording.NewMark(f.Right).Sign(false)) + 1
	move, better := v.FormatMove(f.Move), " "+s.Glyphs.Better+" "+v.FormatMove(f.Better)
	at = s.Text(at, y, draw.Plain, move)
	if !f.Right && at+draw.Columns(better) <= left+width {
		s.Text(at, y, draw.Good, better)
	}
}

func (x *exerciseScreen) notice() (string, draw.Role) {
	_, answer := x.shown()
	if x.answer != nil && x.answer.Again {
		answer = x.answer
	}
	switch {
	case x.status != "":
		return x.status, draw.Notice
	case answer == nil || x.isAtEnd() || x.isFlashing():
		return "", draw.Plain
	}
	s := draw.Size{Width: x.env.width, Height: x.env.height}
	width, role := s.Width-2*s.Margin(), draw.Bad
	if answer.Right {
		role = draw.Good
	}
	sign := x.env.theme.Charset().Show(wording.NewMark(answer.Right).Sign(false)) + " "
	fits := func(text string) bool { return draw.CountLines(sign+text, width) <= feedbackRows(s) }
	text := lastSentences(answer.Text, fits)
	if whole := text + "  " + answer.Note; answer.Note != "" && fits(whole) {
		text = whole
	}
	return sign + text, role
}

// lastSentences returns text without as many sentences from its beginning as needed to fit. The last sentence stays.
func lastSentences(text string, fits func(string) bool) string {
	for !fits(text) {
		_, rest, isLonger := strings.Cut(text, ". ")
		if !isLonger {
			break
		}
		text = rest
	}
	return text
}

func (x *exerciseScreen) title() string { return x.exercise.Name() }
