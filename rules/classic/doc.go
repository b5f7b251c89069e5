// Package classic holds the three small console programs that the game began with, as dialogues over an [io.Reader] and
// an [io.Writer].
//
// Their output is fixed to the byte, and scripts written for them keep working: plain lines, no color, no echo of the
// input, and everything is written before a reply is read. Whatever the input, a program ends with its game or with
// [ErrInputEnded].
//
// A [Program] is one of the three, and [Program.Run] plays it once. The command classic runs them,
// locally and over SSH. The package starts no goroutine.
package classic
