package lesson_test

import (
	"fmt"

	"notakto/rules"
	"notakto/rules/lesson"
)

func Example() {
	l := lesson.All()[1]
	fmt.Println(l.Title)
	step := l.Steps[0]
	fmt.Println(step.Text, step.Task)
	answer, _ := step.Check(rules.Move{Cell: 5})
	fmt.Println("right:", answer.IsRight())
	step, _ = step.Next(rules.Move{Cell: 5})
	fmt.Println(step.Task, step.Text)
	// Output:
	// one board: the centre, then a knight's move
	// On one empty board, only the centre wins. Take it.
	// right: true
	// Your opponent played A2. Answer it. Answer a knight's move away, in a safe cell: two cells along, one across.
}
