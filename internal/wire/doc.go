// Package wire is the client's side of SSH without manners: it says exactly what it is told to, in whatever order, and
// stops wherever it likes. It can do one key exchange (curve25519-sha256) and one cipher (aes128-gcm@openssh.com), and
// believes any server.
package wire
