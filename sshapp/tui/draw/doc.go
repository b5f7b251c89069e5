// Package draw draws the parts of the full-screen game: text, components that all screens share, and boards at every
// size.
//
// A [Canvas] writes into a [render.Grid]. Each piece of text has a [Role], and a [Theme] gives each role one of the
// terminal's styles. A theme is made once for all sessions with the same kind of terminal, so drawing a frame computes
// no styles. [Arrange] places the boards of a match, and [Boards] draws a position on them.
//
// Package tui draws its screens with this package, and package picture draws finished matches. Package draw knows
// positions, but not matches or players. It starts no goroutine. A Canvas belongs to its caller. A Theme never changes.
package draw
