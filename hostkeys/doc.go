// Package hostkeys stores the server's identity on disk, one ed25519 key. The first start makes the key, never a
// build. cmd/notakto calls [Load] at the start, or [Read] for a key that a setting names. The package starts no
// goroutine. [Address] writes the key as known_hosts and DNS have it.
//
// The key is in DIR/host_ed25519, in OpenSSH's format. The package never writes, replaces or repairs an existing
// file, because players remember the key's fingerprint and only the operator may change the key. A symbolic link may
// stand in place of the file, because secrets are often mounted that way. The target must be as private as a file. A
// link without a target is refused.
package hostkeys
