//go:build attack

// Package players is the honest players during an attack: two bots that play each other continually, and a player on
// the full screen who moves a cursor. It records how long each move and each key took, and anything that an honest
// player must never see.
package players
