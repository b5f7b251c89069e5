// Package render turns what a program wants to show, a [Frame], into the fewest bytes that change a player's screen.
//
// A program draws into a [Grid] of cells. Each cell has a glyph and the number of a style from a table of [Styles],
// which all sessions with one kind of terminal share. A [Screen] compares the grid with the frame before, cell by cell,
// and writes the difference with the cheapest mix of cursor moves, erasures, repeats and text that this terminal
// understands ([Caps]). Only glyphs from the grid and sequences made here reach the terminal: a grid holds no control
// characters.
//
// Between two frames a Screen keeps only the rows of the last one, packed, and interned so that screens share the rows
// that they have in common. A session therefore costs the same whatever size of window its client claims.
//
// A grid smaller than the window stands in its middle; a larger one is cut on the right and below. The text cursor is
// always hidden and the alternate screen always used, where the terminal has them.
//
// Widths are those of [ansi.StringWidth], the ones that programs lay out with. Terminals disagree about many clusters,
// such as emoji sequences; such a cluster is written so that the rest of the line is right whatever width the terminal
// gives it.
//
// The drawing layer of the full-screen front end fills the grids; the runner of its program writes what a Screen
// returns. The package starts no goroutine. One goroutine owns a Grid or a Screen; Styles are shared and do not change.
package render
