// Package limit decides who may connect, and how much players, addresses and networks may do.
//
// The server uses [ConnSlots] for all connections, [PreauthConns] for those without a session, and [Admission] for
// sessions, each of which has a [Slot]. [AddressLimits] limits what an address asks for, [Turns] shares the processors
// among networks, and [SourceTracker] knows the address of each player. [Rejections] counts refusals by [Reason].
// [Settings] holds the limits that an operator can change.
//
// The game uses [Attempts] for failed tries, [Starts] for new matches and [Seats] for seats at matches. [Buckets]
// limits a rate by [Account]: a player, an address, or a network around an address.
//
// An IPv6 address counts with its /64, /56 and /48. Each network has [NetworkFactor] times the limit of the next
// smaller one: many names do not circumvent a limit, and one player cannot use up what the neighbours need. If a limit
// of connections or sessions is reached, the network or player that holds most makes room, and an attacker's
// connections push out each other.
//
// The package starts no goroutines, only timers. The memory for rates is bounded by [MaxRemembered].
package limit
