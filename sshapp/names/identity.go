package names

import (
	"crypto/sha256"
	"encoding/hex"

	"golang.org/x/text/unicode/norm"

	"notakto/match"
)

// Guest is a player without a key, who is one as long as the connection lasts. The name is the user name of the login,
// cleaned; it does not identify a player.
func Guest(connectionID, user string) match.Player {
	sum := sha256.Sum256([]byte(connectionID))
	short := hex.EncodeToString(sum[:8])
	return match.Player{ID: match.PlayerID("guest:" + short), Name: nameOr(user, "guest-"+short[:4]), Guest: true}
}

// Clean returns a name that a player chose as it may be shown to others; empty where nothing is left of it or it says
// what only the server says.
func Clean(name string) string { return nameOr(name, "") }

// IsRenamed reports whether a player is shown by another name than the user name of the login: too much of it was
// dropped, or it is reserved.
func IsRenamed(p match.Player, user string) bool {
	return user != "" && norm.NFKC.String(user) != p.Name
}
