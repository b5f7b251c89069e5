package tui

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/rules/lesson"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// learnScreen tells the rules, and lists the first visit and the lessons.
type learnScreen struct {
	page
	list[lessonRow]
	cachedActions cachedActions[learnState]
}

// lessonRow is a lesson. Number 0 stands for the first visit.
type lessonRow struct {
	lesson.Lesson
	done int // steps
}

// mostSteps is the largest number of steps of a lesson, for the width of its progress.
const mostSteps = 9

func toLearn(r *Root) tea.Cmd { return toLearnAt(1)(r) }

// toLearnAt shows the rules, and chooses lesson n or the next one that is not done.
func toLearnAt(n int) navigation {
	return func(r *Root) tea.Cmd { return r.show(newLearn(r.env, n)) }
}

func newLearn(e *env, n int) *learnScreen {
	visit := lessonRow{Lesson: lesson.Lesson{Title: "the game in one minute"}}
	return &learnScreen{page: page{e, "How to play"}, list: list[lessonRow]{rows: []lessonRow{visit}, row: n}}
}

// enter reads the progress, and chooses the first lesson from the current row on that is not done.
func (l *learnScreen) enter() tea.Cmd {
	x, rows := l.env.exercises(), l.rows[:1:1]
	return l.env.request(nil, func(ctx context.Context) (tea.Msg, error) {
		all, done, err := x.Lessons(ctx)
		for i := range all {
			rows = append(rows, lessonRow{all[i], done[i]})
		}
		return rows, err
	})
}

func (l *learnScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case []lessonRow:
		l.rows, l.state = msg, loaded
		for l.row < len(msg)-1 && msg[l.row].done >= msg[l.row].Size() {
			l.row++
		}
	case failedMsg:
		l.state = loaded
	case tea.KeyPressMsg:
		return r.runAction(l.actions())
	}
	return nil
}

// learnState holds the values that determine the actions of the list of lessons.
type learnState struct {
	keys     *keyMap
	isLesson bool // the row is not the first visit
}

func (l *learnScreen) actions() []action {
	return l.cachedActions.get(learnState{l.env.keys, l.row > 0}, l.newActions)
}

func (l *learnScreen) newActions(now learnState) []action {
	keys := now.keys
	open := func(r *Root, row int, isTest bool) tea.Cmd {
		switch {
		case row == 0 && !isTest:
			return toVisit(r)
		case row == 0, row >= len(l.rows):
			return nil
		}
		return openExerciseWith(func(ctx context.Context, x client.Exercises) (*client.Exercise, error) {
			if isTest {
				return x.LessonTest(ctx, row)
			}
			return x.Open(ctx, start.Learn, row)
		})(r)
	}
	skips := textIf(now.isLesson, "skip it by a test of three")
	return []action{
		{key: &keys.enter, short: "begin", long: "begin, or go on", run: func(r *Root) tea.Cmd {
			return open(r, l.row, false)
		}},
		{key: &keys.choose, short: "choose", long: "choose", run: l.move},
		{key: &keys.digit, long: "begin this lesson", run: func(r *Root) tea.Cmd {
			return open(r, l.env.pressedDigit(), false)
		}},
		{key: &keys.try, long: "the game in one minute", run: toVisit},
		{key: &keys.knows, short: textIf(now.isLesson, "I know it"), long: skips, run: func(r *Root) tea.Cmd {
			return open(r, l.row, true)
		}},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

func (l *learnScreen) draw(s *draw.Canvas) {
	area := l.header(s)
	area = area.Lower(s.Pick(0, 0, 1))
	for i, text := range l.rules(s) {
		role := draw.Plain
		if i >= essential {
			role = draw.Faint
		}
		area = area.Lower(s.Paragraph(area.X, area.Y, area.Width, role, text) - area.Y)
	}
	area = area.Lower(s.Pick(0, 1, 1))
	listed := area
	listed.Height = len(l.rows)
	l.list.draw(s, listed, func(at draw.Rect, row lessonRow, role draw.Role) {
		width, title := at.Width-s.Pick(3, mostSteps, mostSteps), wording.Capital(row.Title)
		key := l.env.keys.try.Help().Key
		if row.Number > 0 {
			key = strconv.Itoa(row.Number)
			dotRole, dots := draw.Lesson, l.env.either(wording.Dots(row.done, row.Size()),
				strconv.Itoa(row.done)+"/"+strconv.Itoa(row.Size()))
			if row.done >= row.Size() {
				dotRole = draw.Good
			}
			s.Text(at.X+width, at.Y, dotRole, dots)
		}
		s.Text(at.X+2, at.Y, draw.Faint, key)
		short, _, _ := strings.Cut(title, ",")
		shortest, _, _ := strings.Cut(title, ":")
		s.Text(at.X+4, at.Y, role, fit(width-5, title, short, shortest))
	})
	if area = area.Lower(len(l.rows) + 1); s.IsTall() {
		drawDeathCard(s, area)
	}
}

// essential is the number of rules that a small window shows.
const essential = 3

func (l *learnScreen) rules(s *draw.Canvas) []string {
	rules := []string{
		"You and your opponent take turns placing an X on a board that is alive.",
		"Three Xs in a row, across, down or diagonally, kill a board.",
		"The player who kills the last board loses.",
		"Every X counts for both of you. On a single board, making three in a row loses.",
		"You can also play tic-tac-toe: O moves first, and three of your own marks in a row win.",
	}
	if !s.IsRoomy() {
		return rules[:essential]
	}
	if s.IsTall() {
		limits := l.env.manager.TimeLimits()
		rules = append(rules, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
	}
	lessons := "The lessons take two to four minutes each"
	if l.env.exercises().IsKept() {
		lessons += ", and go on where you left off"
	}
	return append(rules, lessons+".")
}
