// Package limit decides how many clients may connect and how much a client may do.
//
// Package sshapp uses
//   - [ConnSlots] for all connections, and [PreauthConns] for those without a session
//   - [Admission] for sessions, and [SourceTracker] for the addresses of their players
//   - [AddressLimits] for logins and input, and [Turns] for processor time
//   - [Rejections] to count refusals by [Reason]
//   - [Settings] for the limits that an operator can change
//
// Packages match/manager and match/account use [Attempts] for codes and lookups, [Shares] for new matches and for
// decisions, [Seats] for seats at matches, and [Buckets] for other rates. A limit holds for each [Payer], a player,
// address or network.
//
// Limits count an IPv6 address for its /64, its /56 and its /48. A network has [NetworkFactor] times the limit of the
// next smaller one. Many addresses or names therefore do not circumvent a limit. [Attempts] and [Shares] also keep one
// player from using up the limit of an address.
//
// To make room, [PreauthConns] evicts a connection of the most crowded network. [Admission] chooses a player with many
// sessions, and ends one that no match protects. An attacker's clients then push out each other.
//
// The package starts timers. Admission.refresh and Rejections.Report run in the goroutines of these timers.
// [MaxRemembered] bounds the memory for rates.
package limit
