// Package history records what clients of a server have sent and received, and checks that it is consistent with
// matches that were never lost, never had two histories and always followed the rules. It never queries the server:
// only what a client received counts.
//
// A [Book] writes each [Entry] as it happens; [Check] reads them.
package history
