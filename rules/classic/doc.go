// Package classic holds the three small console programs that the game began with, as dialogues over an [io.Reader]
// and an [io.Writer].
//
// Their output is fixed to the byte, because scripts written for them must keep working. A program prints plain lines
// without color, does not echo the input, and writes all output before it reads a reply. Whatever the input, a
// program ends with its game or with [ErrInputEnded].
//
// A [Program] is one of the three. The command classic plays one with [Program.Run], locally and over SSH. The
// package starts no goroutine.
package classic
