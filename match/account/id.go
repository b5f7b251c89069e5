package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"

	"notakto/match"
)

// KeyID identifies a key on this server: 16 letters and digits. It is the identifier of the key's account as well,
// unless the key was linked to another one or that account was deleted.
type KeyID string

// idBytes make 16 characters.
const idBytes = 10

// fingerprintPrefix begins the fingerprints of keys, by which older versions identified players.
const fingerprintPrefix = "SHA256:"

// IsFingerprint reports whether an older version made an identifier: it is the fingerprint of a key.
func IsFingerprint(id match.PlayerID) bool { return strings.HasPrefix(string(id), fingerprintPrefix) }

// IsID reports whether a text has the form of an account's identifier.
func IsID(text string) bool {
	_, err := base32.StdEncoding.DecodeString(strings.ToUpper(text))
	return err == nil && len(text) == base32.StdEncoding.EncodedLen(idBytes) && text == strings.ToLower(text)
}

// hashed returns the 16 characters that stand for a text.
func hashed(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(text)) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:idBytes]))
}

// ownID returns the identifier of the account that a key has when it is linked to none. The generation counts the
// accounts before it that were deleted, or from which the key was removed.
func ownID(secret []byte, key KeyID, generation int) match.PlayerID {
	if generation == 0 {
		return match.PlayerID(key)
	}
	return match.PlayerID(hashed(secret, string(key)+"/"+strconv.Itoa(generation)))
}
