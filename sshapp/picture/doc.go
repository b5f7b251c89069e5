// Package picture shows screens outside of a terminal. [Card] and [Cast] make an SVG and an asciicast of a match, for
// the commands that print them. [Window] and [Film] make a still and a moving SVG of any screen.
//
// The pictures are made from the cells that the full-screen front end draws, so a picture never differs from the
// screen. SVGs draw lines as lines and give each letter its position. The fonts of readers then shift nothing. The
// package starts no goroutine.
package picture
