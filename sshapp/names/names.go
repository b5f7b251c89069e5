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

// maxNameBytes is the number of bytes of a name that cleanName reads.
const maxNameBytes = 256

// MarkSign stands before the mark that distinguishes players with similar names. No name has this sign.
const MarkSign = '#'

// nameSigns may stand in a name beside letters and digits. No sign looks like a letter, a digit or a bracket.
const nameSigns = " -_.'&+"

// cleanName returns a form of name that may be shown and logged: letters of one alphabet, ASCII digits and a few signs,
// in one normal form (NFKC), at most [maxNameWidth] cells wide. It drops all other characters, and a name with letters
// of several alphabets as a whole. The result may be empty.
func cleanName(name string) string {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	name = oneScript(norm.NFKC.String(strings.ToValidUTF8(name, "")))
	name = strings.Join(strings.Fields(name), " ")
	return strings.TrimSpace(ansi.Truncate(name, maxNameWidth, ""))
}

// nameOr returns a name that a player chose, cleaned, or the fallback if the cleaned name is empty or reserved.
func nameOr(name, fallback string) string {
	if clean := cleanName(name); clean != "" && !isReserved(clean) {
		return clean
	}
	return fallback
}

// OfLogin returns the name in a login's user name, such as user in user@corp.com and in CORP\user.
func OfLogin(user string) string {
	user = user[strings.LastIndexByte(user, '\\')+1:]
	if name, _, _ := strings.Cut(user, "@"); name != "" {
		return name
	}
	return user
}

// Guest returns a player without a key, for one connection. The name is the login's user name, cleaned. It does not
// identify the player.
func Guest(connectionID, user string) match.Player {
	sum := sha256.Sum256([]byte(connectionID))
	short := hex.EncodeToString(sum[:8])
	return match.Player{ID: match.PlayerID("guest:" + short), Name: nameOr(user, "guest-"+short[:4]), Guest: true}
}

// Clean returns a form of a chosen name that may be shown. It returns "" if no character is left, or if readers could
// take the name for the server's words.
func Clean(name string) string { return nameOr(name, "") }

// IsRenamed reports whether the name of a player differs from the user name of the login, because the user name was
// shortened, or is reserved.
func IsRenamed(p match.Player, user string) bool {
	return user != "" && norm.NFKC.String(user) != p.Name
}
