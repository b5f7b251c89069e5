// Package web serves the server's page on the web: what the game is, the command to copy, the host key, live numbers,
// the ladder and today's puzzles as pictures. [New] makes a [Site], an HTTP handler for cmd/notakto.
//
// All visitors get the same bytes. A Site makes its files at most once in freshFor and keeps them in memory, texts also
// compressed, so that a request costs only a copy. The site takes GET and HEAD, reads no body, and sets no cookie. The
// page loads nothing from other hosts and is complete without its script.
//
// The numbers come from the [manager.Stats] and [sshapp.Stats] that the metrics read. No file has an account, a
// client's address, a private match or the solution of a puzzle. The package starts no goroutine.
package web
