// Package sshfix works around what golang.org/x/crypto/ssh (0.58) does not do or does not say. Each file names what is
// missing, what a client could do with that, and the test that fails when the library has changed: then the file can
// go.
//
// No upstream issue describes exactly one of these. The nearest are golang/go#79564 and #81317, other messages by which
// a client left goroutines behind, and #80333, extended data that is kept because it is not read; all three are fixed.
package sshfix
