package hostkeys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/crypto/ssh"
)

// FileName is the key's file in the data directory.
const FileName = "host_ed25519"

// Load returns the host key in dir, and creates dir (0700) and the key (0600) if they do not exist. Of several
// processes that start at once in an empty dir, one makes the key and all return it. [ErrExposed], [ErrDamaged]; the
// text of every error says what to do.
func Load(dir string) (ssh.Signer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the data directory cannot be made: %w; choose another with --data, or make it "+
			"for this user", err)
	}
	if err := CheckDir(dir); err != nil {
		return nil, fmt.Errorf("the data directory %w", err)
	}
	path := filepath.Join(dir, FileName)
	signer, err := Read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return signer, err
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("the host key cannot be made: %w", err)
	}
	return Read(path)
}

// CheckDir refuses a directory that every user can write: [ErrExposed], with what to do in its text. Any user could
// replace the files in it. A group may write: volumes and private groups need that. Windows has no modes.
func CheckDir(dir string) error {
	stat, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if mode := stat.Mode().Perm(); mode&0o002 != 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("%s: %w (mode %04o); run: chmod o-w %s, or choose a directory below it", dir, ErrExposed, mode, dir)
	}
	return nil
}

// Fingerprint returns the key as OpenSSH shows it to a player who connects for the first time: SHA256: and its hash in
// base64.
func Fingerprint(signer ssh.Signer) string { return ssh.FingerprintSHA256(signer.PublicKey()) }
