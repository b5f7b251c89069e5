// Package render turns what a program wants to show, a [Frame], into the fewest bytes that change a player's screen.
//
// A [Screen] remembers the text of the last frame and nothing else: no cell of the window is kept, so a session costs
// the same whatever size of window its client claims. To draw, the lines that differ are laid out as cells, compared,
// and written with the cheapest mix of cursor moves, erasures, repeats and text that this terminal understands
// ([Caps]).
//
// Content is styled text: printable characters, line feeds and SGR sequences, already in the session's colours. Each
// line begins in the default style. Whatever else is in it, controls and other escape sequences above all, never
// reaches the terminal.
//
// A frame smaller than the window stands in its middle; a larger one is cut on the right and below. The text cursor is
// always hidden and the alternate screen always used, where the terminal has them.
//
// Widths are those of [ansi.StringWidth], the ones that programs lay out with. Terminals disagree about many clusters,
// such as emoji sequences; such a cluster is written so that the rest of the line is right whatever width the terminal
// gives it.
package render
