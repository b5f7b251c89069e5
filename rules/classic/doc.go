// Package classic holds the three small console programs that the game began with, as dialogues over an [io.Reader] and
// an [io.Writer].
//
// What they print is fixed to the byte, so that a script written against one of them goes on working: plain lines, no
// colour, no echo of what was typed, and everything written before a reply is waited for. Whatever is typed, a program
// ends: with its game, or with [ErrInputEnded].
package classic
