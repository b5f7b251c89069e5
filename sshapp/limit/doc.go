// Package limit decides who may connect and how much they may ask for. The packages sshapp and screen ask it.
//
// [PreauthConns] counts connections without a session and [ConnSlots] all of them. [Admission] counts sessions and
// those who wait for one, and gives each a [Slot]. [AddressLimits] bounds what an address asks for, and [Turns] has
// networks take turns for the processors. [SourceTracker] knows at which address a player is. [Rejections] counts
// refusals by reason. [Settings] holds the limits.
//
// Addresses are counted with their networks: an IPv6 address by its /64, /56 and /48. What is full makes room at the
// expense of the network or player that holds most, so that an attacker's connections push out each other.
//
// The package starts no goroutine that waits, only timers. Its types may be used from any goroutine.
package limit
