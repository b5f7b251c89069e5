// Package limit limits what players, and all players of one network, do: trying codes, looking up matches, starting
// matches and holding seats.
//
// A [Limiter] has one rate, which each [Account] has a multiple of: an account is a player or a network. [Attempts]
// limit failed tries, of each and of all together; [Starts] limit the beginnings of matches and leave each player of a
// network a share. [Seats] count who sits where. The manager and the accounts ask them before they do something.
// Nothing here starts a goroutine or reads a setting, and callers pass the time of rates.
//
// A network has several times the limit of a player, and a larger network several times that of a smaller one. So many
// names do not circumvent a limit, and one player cannot use up what the neighbours need. What is remembered is
// bounded: see [Recent].
package limit
