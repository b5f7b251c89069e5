// Package strategy holds the computer players and the theory of Notakto that the best of them plays by.
//
// A [Level] chooses a move; [Evaluate] and [Analyse] say who wins with perfect play. Notakto is evaluated by its misère
// quotient, which takes a table of 512 boards and a few multiplications for any number of boards; tic-tac-toe by one
// search over all of its positions. Both tables are built when they are first needed and never change after that.
// [Review] goes through a finished match with the same theory.
//
// The manager has a level choose the computer's moves; the front ends and the command analyse show evaluations and
// reviews. The package starts no goroutine, and randomness is an argument.
package strategy
