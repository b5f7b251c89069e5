// Package sshfix works around gaps of golang.org/x/crypto/ssh 0.59. The connections and channels of package sshapp use
// it. A file describes one hazard, and how a client could exploit it.
//
// The types [KexDetector] and [KexRandom] notice key exchanges. A [PreauthBudget] limits the bytes between an exchange
// and the login. Function [MaxPacketSize] reads the size of a client's packets, and [DrainReadAhead] frees the
// goroutines of a closed connection. PreauthBudget.Limit is the only method that blocks. DrainReadAhead starts a
// goroutine that ends with those of the connection.
//
// MaxPacketSize and DrainReadAhead read private fields of the library, and a test fails if these have moved. The tests
// in library_test.go fail when the library no longer needs such a work-around.
//
// Upstream has related issues, but not these hazards. In golang/go#79564 and #81317, a client left goroutines behind
// by other messages. In #80333, the library kept extended data that was not read. The three issues are fixed.
package sshfix
