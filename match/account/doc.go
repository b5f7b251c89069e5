// Package account has what people decide about their accounts, as a log of events and its fold: names, keys,
// preferences and deletions; and what administrators do: bans. An account about which nothing was decided has no event
// and costs nothing.
//
// A [Log] stores the events, a [Directory] is their fold and answers who someone is, and [Accounts] decide: each method
// checks a request against the directory and appends an event, and begins anew if another event came first. The SSH
// server and its commands use them. The package starts no goroutine.
//
// # Identifiers
//
// A key is known by its [KeyID]: a keyed hash of its fingerprint. The account of a key has the same identifier as the
// key, unless the key was linked to another account. The secret of the hash is drawn once and is the first event of the
// log, so all nodes compute the same identifiers. Without it, identifiers tell nothing about keys that others know.
//
// # Time
//
// A deletion takes effect seven days after it was asked for, and a ban ends, without an event of its own. So what a
// [Directory] answers depends on the time; its state depends on the events alone, and is the same on all nodes.
package account
