package admin

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Role is what a client may do besides playing.
type Role string

// The roles. Each may do what those before it may.
const (
	Player        Role = ""
	Moderator     Role = "moderator"
	Administrator Role = "admin"
)

// Keys are the keys of administrators, in a file of the format authorized_keys. The file is read again when it has
// changed. The zero value has no keys; Log must be set. Its methods may be called from any goroutine.
type Keys struct {
	Log *slog.Logger

	mu    sync.Mutex
	path  string          // empty for no file
	seen  time.Time       // when the file was changed that was read last
	roles map[string]Role // by the key as it is sent; not modified
}

// SetFile reads the keys of a file from now on; an empty path is that of no keys. After an error the keys are those
// from before.
func (k *Keys) SetFile(path string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	changed := changedAt(path)
	roles, err := readKeys(path)
	if err == nil {
		k.path, k.roles, k.seen = path, roles, changed
	}
	return err
}

// RoleOf returns the role of a client that has proven a key. If the file has changed and cannot be read, the keys stay
// as they were, and the log says why. A nil receiver has no keys.
func (k *Keys) RoleOf(key ssh.PublicKey) Role {
	if k == nil || key == nil {
		return Player
	}
	return k.current()[string(key.Marshal())]
}

// Any reports whether there are keys. A nil receiver has none.
func (k *Keys) Any() bool { return k != nil && len(k.current()) > 0 }

// current returns the keys, read again if the file has changed.
func (k *Keys) current() map[string]Role {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changed := changedAt(k.path); !changed.Equal(k.seen) {
		k.seen = changed
		roles, err := readKeys(k.path)
		if err == nil {
			k.roles = roles
		} else {
			k.Log.Error("the keys of administrators were not read again, and stay as they are",
				"event", "admin-keys-failed", "error", err)
		}
	}
	return k.roles
}

// changedAt returns when a file was changed; zero without one.
func changedAt(path string) time.Time {
	if path == "" {
		return time.Time{}
	}
	stat, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return stat.ModTime()
}

// readKeys returns the keys of a file.
func readKeys(path string) (map[string]Role, error) {
	roles := map[string]Role{}
	if path == "" {
		return roles, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := ssh.ParseAuthorizedKey(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: this is no key as authorized_keys has them", path, i+1)
		}
		role := Administrator
		for _, option := range options {
			switch option {
			case `role="moderator"`:
				role = Moderator
			case `role="admin"`:
			default:
				return nil, fmt.Errorf("%s:%d: there is no option %.40q: role=\"moderator\" and role=\"admin\" are known",
					path, i+1, option)
			}
		}
		roles[string(key.Marshal())] = role
	}
	return roles, nil
}
