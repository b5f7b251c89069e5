// Package strategy holds the computer players and the theory of perfect play.
//
// A [Level] chooses a move. [Evaluate] and [Analyse] return the result of perfect play. [Review] evaluates the moves
// of a finished match. With [ExplainLoss], [Classify] and [EvaluateBoards] a front end explains a review.
//
// Computer players of match/manager and rules/classic get their moves from levels. Front ends and the command analyse
// show evaluations and reviews. The packages rules/opening, rules/puzzle and match/store also evaluate positions and
// games.
//
// Notakto is evaluated by its misère quotient, with a table of 512 boards and a few multiplications for any number of
// boards. Tic-tac-toe is evaluated by one search over all of its positions. The tables are built on first use and
// never change after that.
//
// The package starts no goroutine, and randomness is an argument.
package strategy
