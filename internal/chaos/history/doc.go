// Package history keeps what clients of a server have sent and received, and finds out whether all of it can be true of
// matches that were never lost, never had two histories and always kept the rules. It never asks the server: only what a
// client received counts.
//
// A [Book] writes [Entry] after entry down as they happen; [Check] reads them.
package history
