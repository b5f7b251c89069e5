// Package render turns a [Frame] into the fewest bytes that change a player's terminal.
//
// Package draw fills a [Grid] of cells. A cell has a glyph and the number of a style in a table of [Styles]. Sessions
// with equal terminals share the table. A [Screen] compares the grid with the last frame and writes the changed cells
// as the cheapest mix of cursor moves, erasures, repeats and text that the terminal understands ([Caps]). Package
// screen sends the bytes. The terminal receives only glyphs and the sequences of this package, because a grid holds no
// control characters.
//
// Between two frames a Screen keeps only the rows of the last one, packed and interned. Screens share equal rows. The
// memory of a session does not depend on the size of the window that its client claims.
//
// A grid smaller than the window is centred in it. A larger one is cut on the right and at the bottom. The cursor is
// hidden and the alternate screen is used where the terminal supports that.
//
// A [Grid] counts widths as [ansi.StringWidth] does. Terminals disagree about many clusters, such as
// emoji sequences. Whatever width the terminal gives such a cluster, the rest of the line is right.
//
// The package starts no goroutine. A Grid or a Screen belongs to one goroutine. Styles are shared and do not change.
package render
