//go:build attack

// Package honest plays while somebody attacks: two bots against each other without an end, and a person who moves a
// cursor. It writes down how long each move and each key took, and whatever an honest player must never see.
package honest
