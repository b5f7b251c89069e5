// Package hostkeys stores the server's host key, an ed25519 key, on disk. The first start makes the key. cmd/notakto
// calls [Load] at the start, or [Read] for a key that a setting names. [Address] has the key's forms for known_hosts
// and DNS. The package starts no goroutine.
//
// The key is in DIR/host_ed25519, in OpenSSH's format. The package never writes, replaces or repairs an existing
// file, because players' clients remember the key, and only the operator may change it. A symbolic link may
// stand in place of the file, because secrets are often mounted that way. The target must be as private as the file. A
// link without a target is refused.
package hostkeys
