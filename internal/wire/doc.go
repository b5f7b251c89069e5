// Package wire is an SSH client that need not follow the protocol: it sends what it is told, in any order, and stops at
// any point. It supports one key exchange (curve25519-sha256) and one cipher (aes128-gcm@openssh.com), and accepts any
// host key.
package wire
