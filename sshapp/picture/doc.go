// Package picture shows screens where there is no terminal. [Card] and [Cast] make an SVG and an asciicast of a match,
// for the commands that print them. [Window] and [Film] make an SVG of any screen, still or moving.
//
// All of them are made from the cells that the full-screen front end draws, so that a picture never differs from the
// screen. SVGs draw lines as lines and give each letter its position: no reader's font shifts them. The package starts
// no goroutine.
package picture
