// Package strategy holds the computer players, and the theory of Notakto that the best of them plays by.
//
// A [Level] chooses a move. [Evaluate] and [Analyse] return the winner with perfect play, and [Review] goes through a
// finished match with the same theory. Notakto is evaluated by its misère quotient: a table of 512 boards and a few
// multiplications for any number of boards. Tic-tac-toe is evaluated by one search over all of its positions. Both
// tables are built on first use and never change after that.
//
// The manager asks levels for the computer's moves. Front ends and the command analyse show evaluations and reviews.
// The package starts no goroutine, and randomness is an argument.
package strategy
