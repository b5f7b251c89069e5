// Package wire is an SSH client that can break the protocol. The caller decides which packets a [Conn] sends, in any
// order, and may stop at any point of a login. The attack command and tests of sshapp need clients that
// golang.org/x/crypto/ssh cannot be, and sessionbench needs cheap ones.
//
// A Conn has methods for the usual steps, in the order Greet, Exchange, Login, Session. Functions such as [Query] and
// [Request] return packets for [Conn.Send]. The package supports one key exchange (curve25519-sha256) and one cipher
// (aes128-gcm@openssh.com), accepts any host key and starts no goroutine.
package wire
