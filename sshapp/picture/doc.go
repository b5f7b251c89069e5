// Package picture shows screens outside of a terminal. [MatchSVG] and [MatchCast] make an SVG and an asciicast of a
// match, for the commands that print them. A [Window] makes a still SVG of any screen, and a [Film] a moving one. The
// package starts no goroutine.
//
// A picture is made from the cells that the full-screen front end draws, and never differs from the screen. SVGs draw
// lines as paths and give each letter its position. Otherwise the fonts of readers, with their different widths, would
// shift the text.
package picture
