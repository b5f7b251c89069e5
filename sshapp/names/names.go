package names

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"notakto/match"
)

// maxNameWidth limits a shown name, in cells of a terminal.
const maxNameWidth = 16

// maxNameBytes limits the bytes that cleanName reads.
const maxNameBytes = 256

// MarkSign stands between a name and the mark that Disambiguate adds. No name contains MarkSign.
const MarkSign = '#'

// nameSigns may stand in a name beside letters and digits. No sign looks like a letter, a digit or a bracket.
const nameSigns = " -_.'&+"

// cleanName returns a form of name that is safe to show and log, at most maxNameWidth cells wide. The form has
// letters of one alphabet, ASCII digits and nameSigns, in the normal form NFKC. A name with letters of several
// alphabets becomes "".
func cleanName(name string) string {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	name = keepOneScript(norm.NFKC.String(strings.ToValidUTF8(name, "")))
	name = strings.Join(strings.Fields(name), " ")
	return strings.TrimSpace(ansi.Truncate(name, maxNameWidth, ""))
}

// cleanNameOr returns the cleaned name, or fallback if that is empty or reserved.
func cleanNameOr(name, fallback string) string {
	if clean := cleanName(name); clean != "" && !isReserved(clean) {
		return clean
	}
	return fallback
}

// LoginName returns the name in a login's user name, such as user in user@corp.com and in CORP\user.
func LoginName(user string) string {
	user = user[strings.LastIndexByte(user, '\\')+1:]
	if name, _, _ := strings.Cut(user, "@"); name != "" {
		return name
	}
	return user
}

// Guest returns a player without a key, for one connection. The name comes from user, the user name of the login, and
// does not identify the player.
func Guest(connectionID, user string) match.Player {
	sum := sha256.Sum256([]byte(connectionID))
	short := hex.EncodeToString(sum[:8])
	return match.Player{ID: match.PlayerID("guest:" + short), Name: cleanNameOr(user, "guest-"+short[:4]), Guest: true}
}

// Clean returns a form of a chosen name that is safe to show. The result is "" if no character is left, or if readers
// could take the name for the server's words.
func Clean(name string) string { return cleanNameOr(name, "") }

// IsRenamed reports whether the name of p differs from the user name of the login, because the user name was
// shortened or is reserved.
func IsRenamed(p match.Player, user string) bool {
	return user != "" && norm.NFKC.String(user) != p.Name
}
