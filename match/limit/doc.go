// Package limit counts what players, and all players of one network, do that is limited: trying codes, looking for
// matches, beginning them and having seats.
package limit
