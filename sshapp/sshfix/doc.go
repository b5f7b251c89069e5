// Package sshfix works around what golang.org/x/crypto/ssh (0.58) does not do or does not say. The connections and
// channels of the package sshapp use it. Each file holds one hazard: it names what is missing, what a client could do
// with that, and, where it depends on the library's insides, the test that fails when they have changed.
//
// [KexDetector] and [KexRandom] notice exchanges of keys, [PreauthBudget] bounds what is read between those and the
// login, [PacketLimit] reads the size of a client's packets, and [DrainReadAhead] frees the goroutines of a closed
// connection, with a goroutine that ends with them. None blocks but PreauthBudget.Part.
//
// No upstream issue describes exactly one of these. The nearest are golang/go#79564 and #81317, other messages by which
// a client left goroutines behind, and #80333, extended data that is kept because it is not read; all three are fixed.
package sshfix
