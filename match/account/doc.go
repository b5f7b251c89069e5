// Package account records decisions about accounts in a log of events. Players decide about their names, keys,
// preferences and deletions, and administrators about names and bans. An account without a decision has no event and
// costs no storage.
//
// A [Log] stores the events. A [Directory] folds them and answers questions about accounts, keys, names and bans. The
// methods of [Accounts] check a request against the Directory and append an event. If another event came first, they
// check again. Package sshapp and the packages below it call these methods. The package starts no goroutine.
//
// An [Erasure] removes accounts from the data of a stopped server. The command notakto forget chooses the accounts, and
// package store rewrites the matches, the log and the audit.
//
// # Identifiers
//
// A [KeyID] is a keyed hash of a key's fingerprint. The secret of the hash is drawn once and is the first event of the
// log. Every node therefore computes equal identifiers. Without the secret, an identifier cannot be matched with a
// known key.
//
// A key that is not linked has its own account, with the key's identifier. After a deletion of that account, or a
// removal from it, the key gets another own account.
//
// # Time
//
// A deletion takes effect seven days after it was asked for, and a ban ends at its time. Neither adds an event. The
// state of a [Directory] depends only on the events and is equal on every node. Its answers depend on the time too.
package account
