// Package account records decisions about accounts in a log of events, and folds the log. Players decide about their
// names, keys, preferences and deletions, administrators about bans. An account without a decision has no event and
// costs nothing.
//
// A [Log] stores the events. A [Directory] is their fold, and answers who someone is. The methods of [Accounts] decide:
// each checks a request against the directory and appends an event. If another event came first, it checks again. The
// SSH server and its commands use them. The package starts no goroutine.
//
// # Identifiers
//
// A key is known by its [KeyID]: a keyed hash of its fingerprint. The account of a key has the same identifier as the
// key, unless the key was linked to another account. The secret of the hash is drawn once and is the first event of the
// log, so all nodes compute the same identifiers. Without the secret, an identifier cannot be matched with a known key.
//
// # Time
//
// A deletion takes effect seven days after it was asked for, and a ban ends at its time. Neither adds an event. So what
// a [Directory] answers depends on the time; its state depends on the events alone, and is the same on all nodes.
package account
