// Package limit decides who may connect, and how much players, addresses and networks may do.
//
// For the server: [PreauthConns] counts connections without a session and [ConnSlots] all of them. [Admission] counts
// sessions and those who wait for one, and gives each a [Slot]. [AddressLimits] bounds what an address asks for, and
// [Turns] has networks take turns for the processors. [SourceTracker] knows at which address a player is. [Rejections]
// counts refusals by reason. [Settings] holds the limits.
//
// For the game: a [Limiter] has one rate, which each [Account], a player or a network, has a multiple of. [Attempts]
// limit failed tries, of each and of all together; [Starts] limit the beginnings of matches and leave each player of a
// network a share. [Seats] count who sits where. The manager and the accounts ask them before they do something.
//
// Addresses are counted with their networks: an IPv6 address by its /64, /56 and /48. A network has several times the
// limit of an address or a player, and a larger network several times that of a smaller one. So many names do not
// circumvent a limit, and one player cannot use up what the neighbours need. What is full makes room at the expense of
// the network or player that holds most, so that an attacker's connections push out each other.
//
// The package starts no goroutine that waits, only timers. What it remembers is bounded.
package limit
