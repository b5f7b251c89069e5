// Package draw is what the screens of the full-screen game are drawn with: text, components that all screens share,
// and boards at every size.
//
// A [Canvas] writes into a [render.Grid]. What it writes has a [Role], and a [Theme] says which of the terminal's
// styles each role has; the theme has been worked out once for all sessions with that kind of terminal, so a frame is
// built without working out any style. [Arrange] finds places for the boards of a match, and [Boards] draws a position
// there.
//
// Package tui draws its screens with it, and package picture a match that is over. The package knows positions, and
// neither matches nor players. It starts no goroutine; a Canvas belongs to its caller, and a Theme never changes.
package draw
