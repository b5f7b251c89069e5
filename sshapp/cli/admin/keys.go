package admin

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
)

// Keys holds the keys of administrators, and those of players if only listed players may play. The keys come from two
// regular files of at most 4 MB in the format of authorized_keys. A file with another inode, time, size or mode is read
// again at the next call. If users other than its owner can write a file, each read of it logs a warning. The zero
// value has no administrators and lets all clients play. Log is required. Methods may be called from any goroutine, and
// on a nil receiver except SetFiles.
type Keys struct {
	Log *slog.Logger

	mu              sync.Mutex
	admins, players keyFile
}

// keyFile is a file of keys.
type keyFile struct {
	path  string              // empty without a file
	seen  fs.FileInfo         // of the file at the last attempt to read it, nil if it was missing
	roles map[string]cli.Role // immutable, by the key in SSH wire format
}

// SetFiles reads the files with the keys of administrators and of players. An empty path for admins allows no
// administrator. An empty path for players lets all clients play. After an error the previous files and keys stay.
func (k *Keys) SetFiles(admins, players string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	a, err := k.read(admins)
	if err != nil {
		return err
	}
	p, err := k.read(players)
	if err == nil {
		k.admins, k.players = a, p
	}
	return err
}

// Role returns the role of a client that has proven key, Player for a nil key. If a changed file cannot be read,
// the previous keys stay and Role logs the error.
func (k *Keys) Role(key ssh.PublicKey) cli.Role {
	if k == nil || key == nil {
		return cli.Player
	}
	return k.current(&k.admins)[string(key.Marshal())]
}

// MayPlay reports whether a client that has proven key may play. key is nil for a client without a key.
func (k *Keys) MayPlay(key ssh.PublicKey) bool {
	if k == nil {
		return true
	}
	players := k.current(&k.players)
	return players == nil || key != nil && players[string(key.Marshal())] != cli.Player
}

// HasAdmins reports whether any key belongs to an administrator.
func (k *Keys) HasAdmins() bool { return k != nil && len(k.current(&k.admins)) > 0 }

// current returns the keys of f, nil without a file, and first reads the file again if it has changed.
func (k *Keys) current(f *keyFile) map[string]cli.Role {
	k.mu.Lock()
	defer k.mu.Unlock()
	if info, _ := os.Stat(f.path); hasChanged(f.seen, info) {
		f.seen = info
		if read, err := k.read(f.path); err == nil {
			*f = read
		} else {
			k.Log.Error("cannot read a changed file of keys; its earlier keys stay valid",
				"event", "keys-failed", "error", err)
		}
	}
	return f.roles
}

// hasChanged reports whether info differs from seen. Either is nil for a missing file. The time alone is not enough:
// rsync and package managers give a new file the time of an old one.
func hasChanged(seen, info fs.FileInfo) bool {
	if seen == nil || info == nil {
		return seen != info
	}
	return !os.SameFile(seen, info) || !info.ModTime().Equal(seen.ModTime()) || info.Size() != seen.Size() ||
		info.Mode() != seen.Mode()
}

// maxKeyFile is the largest size of a file of keys, room for 5,000 RSA keys of 4,096 bits.
const maxKeyFile = 4 << 20

func (k *Keys) read(path string) (keyFile, error) {
	f := keyFile{path: path}
	if path == "" {
		return f, nil
	}
	// O_NONBLOCK keeps a named pipe in the file's place from blocking all logins.
	opened, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return f, err
	}
	defer func() { _ = opened.Close() }()
	stat, err := opened.Stat()
	switch {
	case err != nil:
		return f, err
	case !stat.Mode().IsRegular():
		return f, fmt.Errorf("%s is not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(opened, maxKeyFile+1))
	switch {
	case err != nil:
		return f, err
	case len(text) > maxKeyFile:
		return f, fmt.Errorf("%s is larger than %d MB", path, maxKeyFile>>20)
	}
	if mode := stat.Mode().Perm(); mode&0o022 != 0 && runtime.GOOS != "windows" { // Windows has no modes
		k.Log.Warn(fmt.Sprintf("others than its owner can add keys to %s; run: chmod go-w %s", path, path),
			"event", "keys-exposed", "mode", fmt.Sprintf("%04o", mode))
	}
	f.seen, f.roles = stat, map[string]cli.Role{}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := ssh.ParseAuthorizedKey(line)
		if err != nil {
			return f, fmt.Errorf("%s:%d: invalid key: want a line as in authorized_keys", path, i+1)
		}
		role := cli.Administrator
		for _, option := range options {
			switch option {
			case `role="moderator"`:
				role = cli.Moderator
			case `role="admin"`:
			default:
				return f, fmt.Errorf("%s:%d: unknown option %.40q: want role=\"moderator\" or role=\"admin\"",
					path, i+1, option)
			}
		}
		f.roles[string(key.Marshal())] = role
	}
	return f, nil
}
