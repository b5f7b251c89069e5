// Package sshfix works around what golang.org/x/crypto/ssh (0.59) does not do or does not say. The connections and
// channels of the package sshapp use it. Each file holds one hazard: what is missing, what a client could do with that,
// and, if the file depends on the library's insides, the test that fails when they have changed. library_test.go fails
// when the library no longer needs a work-around that reads its insides.
//
// [KexDetector] and [KexRandom] notice exchanges of keys, [PreauthBudget] bounds what is read between an exchange and
// the login, [PacketLimit] reads the size of a client's packets, and [DrainReadAhead] frees the goroutines of a closed
// connection. Only PreauthBudget.Part blocks, and only DrainReadAhead starts a goroutine, which ends with those of the
// connection.
//
// No upstream issue describes one of these hazards exactly. In golang/go#79564 and #81317, a client left goroutines
// behind by other messages. In #80333, the library kept extended data that was not read. All three are fixed.
package sshfix
