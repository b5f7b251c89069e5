// Package hostkeys stores the server's identity on disk: one ed25519 key, made at the first start and never at build
// time. cmd/notakto calls [Load] at the start, or [Read] for a key that a setting names. The package starts no
// goroutine.
//
// The key is in DIR/host_ed25519 in OpenSSH's own format: ssh-keygen reads it, and a key made by ssh-keygen is
// accepted. An existing key file is never written, replaced or repaired. Players remember its fingerprint, and the
// operator decides when it changes. A symbolic link in its place is followed, since secrets are often mounted that way.
// The rules on who may read the file apply to the link's target. A link without a target is refused and not written
// through.
package hostkeys
