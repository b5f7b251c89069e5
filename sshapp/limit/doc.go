// Package limit says who may connect and how much they may ask for: it counts connections without a session
// ([PreauthConns]), sessions and those who wait for one ([Admission]), and what an address asks for ([AddressLimits]),
// and lets addresses take turns for the processors ([Turns]). Refusals are counted by reason ([Rejections]).
//
// Addresses are counted with their networks: an IPv6 address by its /64, /56 and /48. It starts no goroutine that
// waits; its types may be used from any goroutine.
package limit
