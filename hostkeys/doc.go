// Package hostkeys stores the server's identity on disk: one ed25519 key, made at the first start and never at build
// time. cmd/notakto calls [Load] at the start, or [Read] for a key that a setting names. No goroutine is started.
//
// The key is in DIR/host_ed25519 in OpenSSH's own format: ssh-keygen reads it, and a key made by ssh-keygen is
// accepted. An existing key file is never written, replaced or repaired: players remember its fingerprint, and the
// operator decides when it changes.
//
// A symbolic link in its place is followed, since secrets are often mounted that way; the rules on who may read it
// apply to its target. A link without a target is refused and not written through.
package hostkeys
