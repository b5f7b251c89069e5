package hostkeys

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// An interrupted start may leave an empty file. The file is kept, because it may be all that is left of a key.
func TestUnusableKeysAreRefusedAndKept(t *testing.T) {
	_, ed, err := ed25519.GenerateKey(nil)
	testkit.OK(t, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testkit.OK(t, err)
	rs, err := rsa.GenerateKey(rand.Reader, 2048)
	testkit.OK(t, err)
	encode := func(block *pem.Block, err error) string {
		testkit.OK(t, err)
		return string(pem.EncodeToMemory(block))
	}
	whole := encode(ssh.MarshalPrivateKey(ed, ""))
	for content, want := range map[string]string{
		"": "the file is empty", "no key at all\n": "no key found", whole[:len(whole)/2]: "no key found",
		encode(ssh.MarshalPrivateKey(ec, "")):                                 "it is an ECDSA key; put its backup",
		encode(ssh.MarshalPrivateKey(rs, "")):                                 "it is an RSA key; put its backup",
		encode(ssh.MarshalPrivateKeyWithPassphrase(ed, "", []byte("secret"))): "passphrase",
		strings.Repeat("x", 1<<20):                                            "no key found",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, FileName)
		testkit.OK(t, os.WriteFile(path, []byte(content), 0o600))
		refused(t, dir, ErrDamaged, path, want, "remove it and start again")
		kept, err := os.ReadFile(path)
		testkit.OK(t, err)
		testkit.Equal(t, string(kept), content, "the file was changed")
	}
}

// systemd gives a service the right to read a credential by an access list, which the mode shows as the group's right.
func TestACredentialOfSystemdMayShowAnyMode(t *testing.T) {
	dir := t.TempDir()
	load(t, dir)
	testkit.OK(t, os.Chmod(filepath.Join(dir, FileName), 0o444))
	refused(t, dir, ErrExposed, "chmod 600 ")
	t.Setenv("CREDENTIALS_DIRECTORY", filepath.Dir(dir))
	refused(t, dir, ErrExposed, "chmod 600 ")
	t.Setenv("CREDENTIALS_DIRECTORY", dir+"/")
	load(t, dir)
}

// A secret that is mounted into a container belongs to root and to a group of the server. On a shared volume the
// server's own files may be open to its group.
func TestOnlyAGroupOfTheServerMayReadTheKey(t *testing.T) {
	const other = 65533
	own, group := os.Geteuid(), os.Getegid()
	for _, test := range []struct {
		user, group int
		mode        os.FileMode
		chmod       string // the mode in the advice, "" if the file is accepted
	}{
		{own, group, 0o400, ""}, {own, group, 0o660, ""},
		{own, group, 0o604, "600"}, {own, group, 0o602, "600"}, {own, group, 0o661, "600"}, {own, other, 0o640, "600"},
		{other, group, 0o440, ""}, {other, group, 0o640, ""}, {other, group, 0o660, ""}, {other, group, 0o644, "640"},
		{other, other, 0o640, "600"}, {other, other, 0o600, ""},
	} {
		if own != 0 && (test.user == other || test.group == other) {
			continue // only root can give a file to another user or group
		}
		dir := t.TempDir()
		load(t, dir)
		path := filepath.Join(dir, FileName)
		testkit.OK(t, errors.Join(os.Chown(path, test.user, test.group), os.Chmod(path, test.mode)))
		if test.chmod == "" {
			load(t, dir)
		} else {
			refused(t, dir, ErrExposed, "chmod "+test.chmod+" "+path)
		}
	}
}

// Any user could replace the files of the server.
func TestADirectoryThatAllCanWriteIsRefused(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o700, 0o755, 0o775, 0o777, 0o702 | os.ModeSticky} {
		testkit.OK(t, os.Chmod(dir, mode))
		if mode&0o002 == 0 {
			load(t, dir)
		} else {
			refused(t, dir, ErrExposed, "run: chmod o-w "+dir)
		}
	}
}

func TestLinks(t *testing.T) {
	mounted, dir := t.TempDir(), t.TempDir()
	path, target := filepath.Join(dir, FileName), filepath.Join(mounted, FileName)
	testkit.OK(t, os.Symlink(target, path))
	refused(t, dir, ErrDamaged, target, "remove the link")
	testkit.Equal(t, list(t, mounted), "", "written through the link")
	want := load(t, mounted)
	testkit.Equal(t, load(t, dir), want)
	testkit.OK(t, os.Chmod(target, 0o644))
	refused(t, dir, ErrExposed, "chmod 600")
}

func TestNoPlaceForAKey(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, os.Mkdir(filepath.Join(dir, FileName), 0o700))
	refused(t, dir, ErrDamaged, "not a regular file")
	dir = t.TempDir()
	testkit.OK(t, syscall.Mkfifo(filepath.Join(dir, FileName), 0o600)) // must not hold up the start
	refused(t, dir, ErrDamaged, "not a regular file")
	dir = filepath.Join(t.TempDir(), "data")
	testkit.OK(t, os.WriteFile(dir, nil, 0o600))
	refused(t, dir, syscall.ENOTDIR, "data directory cannot be made", dir, "choose another with --data")
	// The kernel's own directory refuses root as well.
	refused(t, "/proc/self", nil, "host key cannot be made", "/proc/self/")
}

// refused expects an error of Load in one line that holds all of words.
func refused(t *testing.T, dir string, want error, words ...string) {
	t.Helper()
	_, err := Load(dir)
	if err == nil {
		t.Fatal("the key was accepted")
	}
	if want != nil {
		testkit.ErrorIs(t, err, want)
	}
	testkit.Contains(t, err.Error(), words...)
	testkit.Equal(t, strings.Contains(err.Error(), "\n"), false, "the error has several lines:", err)
}

// Files that an interrupted start has left are harmless. Load checks the mode bits and not whether the system refuses
// access, because root has access to all files.
func TestLoadMakesAKeyThatStays(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, "."+FileName+"-1")
	testkit.OK(t, os.WriteFile(left, []byte("half a k"), 0o600))
	first, path := load(t, dir), filepath.Join(dir, FileName)
	testkit.Equal(t, load(t, dir), first)
	testkit.Contains(t, first, "SHA256:")
	testkit.Equal(t, list(t, dir), filepath.Base(left)+" "+FileName)
	text, err := os.ReadFile(path)
	testkit.OK(t, err)
	testkit.Contains(t, string(text), "-----BEGIN OPENSSH PRIVATE KEY-----\n")

	made := filepath.Join(t.TempDir(), "deep", "down")
	load(t, made)
	for path, want := range map[string]os.FileMode{made: 0o700 | os.ModeDir, filepath.Join(made, FileName): 0o600} {
		stat, err := os.Stat(path)
		testkit.OK(t, err)
		testkit.Equal(t, stat.Mode(), want, path)
	}
}

func TestServersThatStartAtOnceAgree(t *testing.T) {
	dir, began := filepath.Join(t.TempDir(), "data"), make(chan struct{})
	var all sync.WaitGroup
	prints := make([]string, 20)
	for i := range prints {
		all.Go(func() {
			<-began
			signer, err := Load(dir)
			if err != nil {
				t.Error(err)
				return
			}
			prints[i] = Fingerprint(signer)
		})
	}
	close(began)
	all.Wait()
	testkit.Equal(t, strings.Join(prints, ""), strings.Repeat(load(t, dir), len(prints)))
}

func load(t *testing.T, dir string) (fingerprint string) {
	t.Helper()
	signer, err := Load(dir)
	testkit.OK(t, err)
	return Fingerprint(signer)
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return strings.Join(names, " ")
}
