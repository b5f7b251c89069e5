// Package hostkeys stores the server's identity on disk, one ed25519 key. The first start makes the key, never a build.
// cmd/notakto calls [Load] at the start, or [Read] for a key that a setting names. The package starts no goroutine.
//
// The key is in DIR/host_ed25519, in a format of OpenSSH that ssh-keygen writes and reads. The package never writes,
// replaces or repairs an existing key file, because players remember its fingerprint: the operator decides when it
// changes. It follows a symbolic link in place of the file, because secrets are often mounted that way. The target of
// the link must be as private as a file. A link without a target is refused.
package hostkeys
