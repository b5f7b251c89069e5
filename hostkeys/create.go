package hostkeys

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// create puts a new key at path unless something is there by then. The key is complete and on the disk before it gets
// its name, and a hard link, unlike a rename, never takes a name that is in use: so path is never empty and never
// changes. A process that is killed in between leaves a temporary file behind, which nothing reads.
func create(path string) error {
	temp, err := write(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; if this file system knows no hard links, run: ssh-keygen -t ed25519 -N '' -f %s", err, path)
	}
	return syncDir(filepath.Dir(path))
}

// write makes a key in a temporary file in dir.
func write(dir string) (temp string, err error) {
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

// syncDir makes the new name as durable as the file.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
