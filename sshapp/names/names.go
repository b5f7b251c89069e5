package names

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"notakto/match"
)

// maxNameWidth is the widest name that is shown, in cells.
const maxNameWidth = 16

// maxNameBytes bounds what is looked at of a name at all.
const maxNameBytes = 256

// MarkSign stands before the mark that tells two players of like names apart, so it stands in no name.
const MarkSign = '#'

// nameSigns may stand in a name beside letters and digits. None of them looks like a letter or a digit, or opens or
// closes anything.
const nameSigns = " -_.'&+"

// cleanName returns a name that may be shown and logged: letters of one alphabet, ASCII digits and a few signs, in one
// normal form (NFKC), at most [maxNameWidth] cells wide. All other characters are dropped, and a name with letters of
// several alphabets as a whole. The result may be empty.
func cleanName(name string) string {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	name = oneScript(norm.NFKC.String(strings.ToValidUTF8(name, "")))
	name = strings.Join(strings.Fields(name), " ")
	return strings.TrimSpace(ansi.Truncate(name, maxNameWidth, ""))
}

// nameOr is a name that a player chose, cleaned, or the fallback where nothing is left of it or it says what only the
// server says.
func nameOr(name, fallback string) string {
	if clean := cleanName(name); clean != "" && !isReserved(clean) {
		return clean
	}
	return fallback
}

// OfLogin returns the part of a login's user name that is a name: of user@corp.com and CORP\user that is user.
func OfLogin(user string) string {
	user = user[strings.LastIndexByte(user, '\\')+1:]
	if name, _, _ := strings.Cut(user, "@"); name != "" {
		return name
	}
	return user
}

// Guest returns a player without a key, for one connection. The name is the user name of the login, cleaned, and does
// not identify the player.
func Guest(connectionID, user string) match.Player {
	sum := sha256.Sum256([]byte(connectionID))
	short := hex.EncodeToString(sum[:8])
	return match.Player{ID: match.PlayerID("guest:" + short), Name: nameOr(user, "guest-"+short[:4]), Guest: true}
}

// Clean returns a name that a player chose in a form that may be shown. The result is empty if nothing is left of the
// name, or if it could be taken for the server's words.
func Clean(name string) string { return nameOr(name, "") }

// IsRenamed reports whether a player is shown by another name than the user name of the login: too much of it was
// dropped, or it is reserved.
func IsRenamed(p match.Player, user string) bool {
	return user != "" && norm.NFKC.String(user) != p.Name
}
