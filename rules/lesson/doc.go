// Package lesson holds the content of the six lessons and of the first visit.
//
// [All] returns the lessons. A [Lesson] is a list of steps on live boards. A [Step] is a position that the player can
// win, with a text and a task. [Step.Check] judges a move, and [Step.Next] plays the opponent's answer. [Visit] is the
// first visit of an account.
//
// A front end shows the texts, explains answers by their reviews, and records the progress. The tests check each
// sentence by the rules. The package starts no goroutine, and randomness is an argument.
package lesson
