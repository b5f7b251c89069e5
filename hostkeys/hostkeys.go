package hostkeys

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/crypto/ssh"
)

// FileName is the key's file in the data directory.
const FileName = "host_ed25519"

// Load returns the host key in dir. Load creates dir (0700) and the key (0600) if they do not exist. If several
// processes start at once in an empty dir, one makes the key and all return it. The error may be [ErrExposed] or
// [ErrDamaged]. Its text says how to mend the cause.
func Load(dir string) (ssh.Signer, error) {
	if err := MakeDir(dir); err != nil {
		return nil, err
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

// MakeDir creates a data directory (0700) if it does not exist. A directory that every user can write is refused with
// [ErrExposed], because any user could replace its files. A group may write, as volumes and private groups need.
// Windows has no modes. The text of the error says how to mend the cause.
func MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the data directory cannot be made: %w; choose another with --data, or make it for this user",
			err)
	}
	stat, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the data directory %w", err)
	}
	if mode := stat.Mode().Perm(); mode&0o002 != 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("the data directory %s: %w (mode %04o); run: chmod o-w %s, or choose a directory below it", dir,
			ErrExposed, mode, dir)
	}
	return nil
}

// Fingerprint returns "SHA256:" and the hash of the key in base64, as OpenSSH shows it at a first connection.
func Fingerprint(signer ssh.Signer) string { return ssh.FingerprintSHA256(signer.PublicKey()) }

// Errors of a refused key file.
var (
	// ErrExposed reports that the file's mode gives other users access to the key.
	ErrExposed = errors.New("others than its owner can read or write it")
	// ErrDamaged reports that the file holds no key that the server can use.
	ErrDamaged = errors.New("it holds no usable ed25519 key")
)

// maxSize is the number of bytes read of a key file. A key has about 400.
const maxSize = 16 << 10

// Read returns the host key in the file at path, and never creates a file. The error may be [ErrExposed],
// [ErrDamaged], or [fs.ErrNotExist] for a missing file.
func Read(path string) (ssh.Signer, error) {
	// Without O_NONBLOCK, a named pipe in the key's place would block the start for ever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, explainMissing(path, err)
	}
	defer f.Close()
	if err := checkPrivate(f); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be read: %w", path, err)
	}
	key, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("host key %s: %w: %w; put its backup in its place (players go on trusting this server), "+
			"or remove it and start again (they will be warned of a changed key)", path, ErrDamaged, err)
	}
	return ssh.NewSignerFromKey(key)
}

// explainMissing returns ErrDamaged for a link without a target, so that Load does not try to make a key there. For a
// missing file it returns err as it is.
func explainMissing(path string, err error) error {
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the host key cannot be opened: %w", err)
	}
	target, link := os.Readlink(path)
	if link != nil {
		return err
	}
	return fmt.Errorf("host key %s: %w: it is a link to %s, which does not exist; put the key there or "+
		"remove the link", path, ErrDamaged, target)
}

// checkPrivate checks the open file, not its name, because the name could lead to another file by now.
func checkPrivate(f *os.File) error {
	stat, err := f.Stat()
	if err != nil {
		return fmt.Errorf("the host key cannot be examined: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return fmt.Errorf("host key %s: %w: it is not a regular file; move it away", f.Name(), ErrDamaged)
	}
	if err := CheckMode(f.Name(), stat); err != nil {
		return fmt.Errorf("host key %w", err)
	}
	return nil
}

// CheckMode returns [ErrExposed] for a secret file that other users can read or write. The file's group may have
// access if this process is in the group, because mounted secrets and shared volumes need that. A file in the directory
// $CREDENTIALS_DIRECTORY is accepted, because systemd gives the server the right to read it by an access list. The mode
// shows that as a right of the group. Windows has no modes. The text of the error says how to mend the mode.
func CheckMode(path string, stat fs.FileInfo) error {
	if dir := os.Getenv("CREDENTIALS_DIRECTORY"); dir != "" && filepath.Dir(path) == filepath.Clean(dir) {
		return nil
	}
	others, advice := fs.FileMode(0o077), 0o600
	if owned, inGroup := ownership(stat); inGroup {
		others = 0o007
		if !owned {
			advice = 0o640 // with 0600 this process could no longer read the file
		}
	}
	if mode := stat.Mode().Perm(); mode&others != 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("%s: %w (mode %04o); run: chmod %o %s", path, ErrExposed, mode, advice, path)
	}
	return nil
}

func parse(text []byte) (ed25519.PrivateKey, error) {
	if len(text) == 0 {
		return nil, errors.New("the file is empty")
	}
	raw, err := ssh.ParseRawPrivateKey(text)
	if protected := (*ssh.PassphraseMissingError)(nil); errors.As(err, &protected) {
		return nil, errors.New("it is protected by a passphrase, which the server cannot type")
	}
	if err != nil {
		return nil, err
	}
	switch key := raw.(type) {
	case *ed25519.PrivateKey:
		return *key, nil
	case ed25519.PrivateKey:
		return key, nil
	case *rsa.PrivateKey:
		return nil, errors.New("it is an RSA key")
	case *ecdsa.PrivateKey:
		return nil, errors.New("it is an ECDSA key")
	default:
		return nil, errors.New("it is a key of another kind")
	}
}

// create puts a new key at path unless a file exists there. The key is complete and on the disk before a hard link
// gives it its name. Unlike a rename, a link never replaces a file. The file at path is therefore never empty and
// never changes. A killed process may leave a temporary file that no program reads.
func create(path string) error {
	temp, err := writeTemp(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; if this file system knows no hard links, run: ssh-keygen -t ed25519 -N '' -f %s", err, path)
	}
	// The new name has to be as durable as the file.
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// writeTemp makes a key in a temporary file in dir.
func writeTemp(dir string) (temp string, err error) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return "", err
	}
	block, err := ssh.MarshalPrivateKey(key, "notakto")
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "."+FileName+"-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := f.Chmod(0o600); err != nil {
		return "", err
	}
	if err := pem.Encode(f, block); err != nil {
		return "", err
	}
	return f.Name(), f.Sync()
}
