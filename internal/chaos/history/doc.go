// Package history keeps what clients of a server have said and were told, and finds out whether all of it can be true
// of matches that were never lost, never had two histories and always kept the rules. It never asks the server:
// whatever a server believes of itself, only what somebody was told counts.
//
// A [Book] writes [Entry] after entry down as they happen; [Check] reads them.
package history
