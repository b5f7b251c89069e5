package wording

import (
	"strconv"
	"strings"

	"notakto/match/progress"
	"notakto/rules/lesson"
)

// LessonName returns the number and the title of a lesson.
func LessonName(l lesson.Lesson) string {
	return "Lesson " + OneOf(l.Number, progress.Lessons) + ": " + l.Title
}

// LessonOver tells the result of a lesson or its test, and the next step.
func LessonOver(l lesson.Lesson, isTest, isPassed bool) string {
	name, next := "esson "+strconv.Itoa(l.Number), " It was the last one."
	if all := lesson.All(); l.Number < len(all) {
		next = " Next is lesson " + strconv.Itoa(l.Number+1) + ": " + all[l.Number].Title + "."
	}
	switch {
	case isTest && !isPassed:
		return "L" + name + " explains such positions."
	case !isPassed:
		return "Two right answers complete l" + name + ". It asks other puzzles when you come back."
	case isTest:
		return "You know l" + name + "." + next
	default:
		return "L" + name + " is done." + next
	}
}

// LessonProgress tells how far a lesson is done.
func LessonProgress(done, steps int) string {
	switch {
	case done == 0:
		return "new"
	case done >= steps:
		return "done"
	default:
		return OneOf(done, steps) + " steps"
	}
}

// OneOf returns "n of all".
func OneOf(n, all int) string { return strconv.Itoa(n) + " of " + strconv.Itoa(all) }

// Dots shows progress as ●●●○○○.
func Dots(done, all int) string {
	done = min(done, all)
	return strings.Repeat("●", done) + strings.Repeat("○", all-done)
}
