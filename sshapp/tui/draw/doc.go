// Package draw draws the parts of the full-screen game, from text and components to boards of every size.
//
// A [Canvas] writes into a [render.Grid]. Text has a [Role], and a [Theme] gives every role one of the terminal's
// styles. A theme is made once for all sessions with one kind of terminal. Drawing a frame therefore computes no
// styles. [Arrange] places the boards of a match, and [Boards] draws a position on them.
//
// Package tui draws its screens with this package, and package picture draws finished matches. Package draw knows
// positions, but no matches or players, and starts no goroutine. A Canvas belongs to its caller, and a Theme never
// changes.
package draw
