// Package render turns a [Frame] into the fewest bytes that change a player's screen.
//
// A program draws into a [Grid] of cells. Each cell has a glyph and the number of a style from a table of [Styles],
// which all sessions with one kind of terminal share. A [Screen] compares the grid with the frame before, cell by cell.
// It writes the difference with the cheapest mix of cursor moves, erasures, repeats and text that the terminal
// understands ([Caps]). A grid holds no control characters, so only glyphs and the sequences of this package reach the
// terminal.
//
// Between two frames a Screen keeps only the rows of the last one. They are packed, and interned so that screens share
// equal rows. A session's cost therefore does not depend on the size of the window that its client claims.
//
// A grid smaller than the window stands in its middle. A larger one is cut on the right and below. Where the terminal
// can do so, the text cursor is hidden and the alternate screen is used.
//
// Widths are those of [ansi.StringWidth], with which programs lay out. Terminals disagree about many clusters, such as
// emoji sequences. The rest of a line with such a cluster is right whatever width the terminal gives the cluster.
//
// Package draw fills the grids. Package screen writes the bytes. The package starts no goroutine. One goroutine owns a
// Grid or a Screen. Styles are shared and do not change.
package render
