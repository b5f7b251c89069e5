// Package plain is the line-by-line game: for screen readers, terminals that can do nothing but print, and slow links.
// Its tables and its queue are those of every other front end.
//
// Commands are typed as words, and every change is printed once, in a line of plain sentences. Nothing that was written
// is ever written over, and no escape code is sent.
//
// The sshapp package calls [Serve], which runs one session: it reads lines, waits for what happens, and hands each to
// the part that it is for. command.go lists what can be typed, and which part does it: tables (the matches that are
// open here), queue (the place in the queue), elsewhere (the player's other matches) and lists. The type table puts a
// match into words.
//
// Serve starts one goroutine, which reads the input and ends with it. Everything else runs on the goroutine of Serve,
// so no part needs a lock; a table never waits for a session.
package plain
