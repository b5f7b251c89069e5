// Package plain is the line-by-line front end, for screen readers, terminals that can only print, and slow links.
//
// The player types commands as words. The package prints each change once, in a line of plain sentences. A printed
// line never changes, and the output has no escape codes. Package client supplies the tables and the place in the
// queue, as it does for every front end.
//
// Package sshapp calls [Serve] for each session. The type session reads lines, waits for events, and passes them to its
// parts:
//   - tables: the matches that are open in this session
//   - queue: the place in the queue
//   - elsewhere: the player's other matches
//   - lists: matches in progress, finished matches, the ladder
//   - exercises: puzzles, slips and the rush
//
// The type table turns a match into sentences. The file command.go lists the commands and the part that runs each.
//
// Serve starts one goroutine to read the input. The parts run on the goroutine of Serve and need no locks. Printing may
// block the session. The other players do not notice, because no table waits for a session.
package plain
