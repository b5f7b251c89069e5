// Package limit limits what players, and all players of one network, do: trying codes, looking up matches, starting
// matches and holding seats.
package limit
