// Package plain is the line-by-line game: for screen readers, terminals that can do nothing but print, and slow links.
// It sits at the same tables and waits in the same queue as every other front end.
//
// Commands are typed as words, and every change is printed once, in a line of plain sentences. Nothing that was written
// is ever written over, and no escape code is sent. A session is one goroutine that reads and one that does all the
// rest; a table never waits for either.
package plain
