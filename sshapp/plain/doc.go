// Package plain is the game line by line, for screen readers, terminals that can only print, and slow links. It uses
// the tables and the queue of package client, as every front end does.
//
// Commands are typed as words, and every change is printed once, in a line of plain sentences. The package never
// overwrites what it has written, and sends no escape code.
//
// The sshapp package calls [Serve], which runs one session. It reads lines, waits for events, and passes each to its
// part. command.go lists the commands and the part of each: tables (the matches that are open in this session), queue
// (the place in the queue), elsewhere (the player's other matches) and lists. The type table puts a match into words.
//
// Serve starts one goroutine, which reads the input and ends with it. Everything else runs on the goroutine of Serve,
// so no part needs a lock. A table never waits for a session.
package plain
