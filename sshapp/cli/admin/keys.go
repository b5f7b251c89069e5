package admin

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
)

// Keys holds the keys of administrators, and those of players if only listed players may play. It reads both from
// files in the format of authorized_keys, and again after a file has changed. The zero value has no keys and lets
// all play. Log is required. Methods may be called from any goroutine.
type Keys struct {
	Log *slog.Logger

	mu              sync.Mutex
	admins, players keyFile
}

// keyFile is a file with keys.
type keyFile struct {
	path  string              // empty for no file
	seen  time.Time           // modification time of the file when it was last read
	roles map[string]cli.Role // by the key in SSH wire format; not modified
}

// SetFiles sets the files with the keys of administrators and of players, and reads them. With an empty path for
// admins there are no administrators. With an empty path for players all may play. After an error the previous
// files and keys stay.
func (k *Keys) SetFiles(admins, players string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	a, err := readKeys(admins)
	if err != nil {
		return err
	}
	p, err := readKeys(players)
	if err == nil {
		k.admins, k.players = a, p
	}
	return err
}

// RoleOf returns the role of a client that has proven a key. If the file has changed and cannot be read, the keys
// stay as they were, and RoleOf logs the error. A nil receiver has no keys.
func (k *Keys) RoleOf(key ssh.PublicKey) cli.Role {
	if k == nil || key == nil {
		return cli.Player
	}
	return k.current(&k.admins)[string(key.Marshal())]
}

// MayPlay reports whether a client that has proven key may play. key is nil for a client without one. A nil
// receiver lets all play.
func (k *Keys) MayPlay(key ssh.PublicKey) bool {
	if k == nil {
		return true
	}
	players := k.current(&k.players)
	return players == nil || key != nil && players[string(key.Marshal())] != cli.Player
}

// Any reports whether there are keys of administrators. It is false for a nil receiver.
func (k *Keys) Any() bool { return k != nil && len(k.current(&k.admins)) > 0 }

// current returns the keys of a file, nil without a file. It reads the file again if it has changed.
func (k *Keys) current(f *keyFile) map[string]cli.Role {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changed := changedAt(f.path); !changed.Equal(f.seen) {
		f.seen = changed
		if read, err := readKeys(f.path); err == nil {
			*f = read
		} else {
			k.Log.Error("a file of keys was not read again, and its keys stay as they are",
				"event", "keys-failed", "error", err)
		}
	}
	return f.roles
}

// changedAt returns the modification time of a file, zero if there is none.
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

// readKeys reads a file of keys, none if path is empty.
func readKeys(path string) (keyFile, error) {
	if path == "" {
		return keyFile{}, nil
	}
	f := keyFile{path, changedAt(path), map[string]cli.Role{}}
	text, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := ssh.ParseAuthorizedKey(line)
		if err != nil {
			return f, fmt.Errorf("%s:%d: this is no key as authorized_keys has them", path, i+1)
		}
		role := cli.Administrator
		for _, option := range options {
			switch option {
			case `role="moderator"`:
				role = cli.Moderator
			case `role="admin"`:
			default:
				return f, fmt.Errorf("%s:%d: there is no option %.40q: role=\"moderator\" and role=\"admin\" are known",
					path, i+1, option)
			}
		}
		f.roles[string(key.Marshal())] = role
	}
	return f, nil
}
