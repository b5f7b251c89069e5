// Package wording has the sentences that several front ends say: why something was refused and which code a bot reads
// then ([Refusal]), what is played and with which clock, how a match ended, what perfect play says of it, and numbers
// with their nouns. Each front end says the rest in its own way.
//
// Everything here is a function of values: the package reads no clock and starts no goroutine. A sentence names players
// by the functions that it is given, as each front end names them in its own way. Where the width is bounded, the
// comment says so.
package wording
