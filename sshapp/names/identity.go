package names

import (
	"crypto/sha256"
	"encoding/hex"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/text/unicode/norm"

	"notakto/match"
)

// Identify is who a session belongs to: the key that was proven at login, or a guest, who is one as long as the
// connection lasts. The name is the user name of the login, cleaned; it does not identify a player.
func Identify(key ssh.PublicKey, connectionID, user string) match.Player {
	if key == nil {
		sum := sha256.Sum256([]byte(connectionID))
		short := hex.EncodeToString(sum[:8])
		return match.Player{ID: match.PlayerID("guest:" + short), Name: nameOr(user, "guest-"+short[:4]), Guest: true}
	}
	sum := sha256.Sum256(key.Marshal())
	return match.Player{
		ID:   match.PlayerID(gossh.FingerprintSHA256(key)),
		Name: nameOr(user, "player-"+hex.EncodeToString(sum[:2])),
	}
}

// IsRenamed reports whether a player is shown by another name than the user name of the login: too much of it was
// dropped, or it is reserved.
func IsRenamed(p match.Player, user string) bool {
	return user != "" && norm.NFKC.String(user) != p.Name
}
