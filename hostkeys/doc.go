// Package hostkeys keeps the server's identity on disk: one ed25519 key, made at the first start and never at build
// time.
//
// The key stands in DIR/host_ed25519 in OpenSSH's own format, so ssh-keygen reads it and a key made by ssh-keygen is
// accepted. A key file that is already there is never written, replaced or repaired: players remember its fingerprint,
// and the operator decides when it changes.
//
// A symbolic link in its place is followed, since secrets are often mounted that way; the rules on who may read it hold
// for the file it points to. One that points nowhere is refused and not written through.
package hostkeys
