package hostkeys

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	whole := encode(t)(ssh.MarshalPrivateKey(ed, ""))
	for label, test := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":      {nil, "the file is empty"},
		"garbage":    {[]byte("no key at all\n"), "no key found"},
		"cut short":  {whole[:len(whole)/2], "no key found"},
		"ECDSA":      {encode(t)(ssh.MarshalPrivateKey(ec, "")), "it is an ECDSA key; put its backup"},
		"RSA":        {encode(t)(ssh.MarshalPrivateKey(rs, "")), "it is an RSA key; put its backup"},
		"passphrase": {encode(t)(ssh.MarshalPrivateKeyWithPassphrase(ed, "", []byte("secret"))), "passphrase"},
		"huge":       {bytes.Repeat([]byte("x"), 1<<20), "no key found"},
	} {
		t.Run(label, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			testkit.OK(t, os.WriteFile(path, test.content, 0o600))
			refused(t, dir, ErrDamaged, path, test.want, "remove it and start again")
			if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, test.content) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

func TestKeysThatOthersCanReadAreRefused(t *testing.T) {
	for _, mode := range []os.FileMode{0o604, 0o444, 0o644, 0o661, 0o601} {
		dir := t.TempDir()
		load(t, dir)
		path := filepath.Join(dir, FileName)
		testkit.OK(t, os.Chmod(path, mode))
		refused(t, dir, ErrExposed, "chmod 600 "+path)
		testkit.OK(t, os.Chmod(path, 0o400))
		load(t, dir)
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
func TestAGroupOfTheServerMayReadTheKey(t *testing.T) {
	const other = 65533
	own, group := os.Geteuid(), os.Getegid()
	for _, test := range []struct {
		user, group int
		mode        os.FileMode
		chmod       string // the mode in the advice, "" if the file is accepted
	}{
		{own, group, 0o660, ""},
		{own, group, 0o664, "600"},
		{own, other, 0o640, "600"},
		{other, group, 0o440, ""},
		{other, group, 0o640, ""},
		{other, group, 0o660, ""},
		{other, group, 0o644, "640"},
		{other, other, 0o640, "600"},
		{other, other, 0o440, "600"},
		{other, other, 0o600, ""},
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

func TestLinks(t *testing.T) {
	mounted, dir := t.TempDir(), t.TempDir()
	path, target := filepath.Join(dir, FileName), filepath.Join(mounted, FileName)
	testkit.OK(t, os.Symlink(target, path))
	refused(t, dir, ErrDamaged, target, "remove the link")
	if names := list(t, mounted); len(names) != 0 {
		t.Fatalf("a key was written through the link: %v", names)
	}
	want := load(t, mounted)
	testkit.Equal(t, load(t, dir), want)
	testkit.OK(t, os.Chmod(target, 0o644))
	refused(t, dir, ErrExposed, "chmod 600")
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Run("a directory", func(t *testing.T) {
		dir := t.TempDir()
		testkit.OK(t, os.Mkdir(filepath.Join(dir, FileName), 0o700))
		refused(t, dir, ErrDamaged, "not a regular file")
	})
	t.Run("a pipe, which must not hold up the start", func(t *testing.T) {
		dir := t.TempDir()
		testkit.OK(t, syscall.Mkfifo(filepath.Join(dir, FileName), 0o600))
		refused(t, dir, ErrDamaged, "not a regular file")
	})
}

func TestNoPlaceForAKey(t *testing.T) {
	t.Run("a file in the directory's place", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "data")
		testkit.OK(t, os.WriteFile(dir, nil, 0o600))
		refused(t, dir, syscall.ENOTDIR, "data directory cannot be made", dir, "choose another with --data")
	})
	t.Run("a directory where nothing can be written", func(t *testing.T) {
		// The kernel's own directory refuses root as well.
		refused(t, "/proc/self", nil, "host key cannot be made", "/proc/self/")
	})
}

// refused expects an error of Load in one line that holds all of words.
func refused(t *testing.T, dir string, want error, words ...string) {
	t.Helper()
	_, err := Load(dir)
	if err == nil {
		t.Fatal("the key was accepted")
	}
	if want != nil && !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has several lines: %q", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not say %q", err, w)
		}
	}
}

func encode(t *testing.T) func(*pem.Block, error) []byte {
	t.Helper()
	return func(block *pem.Block, err error) []byte {
		t.Helper()
		testkit.OK(t, err)
		return pem.EncodeToMemory(block)
	}
}

func TestLoadMakesAKeyThatStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "down")
	first, err := Load(dir)
	testkit.OK(t, err)
	testkit.Equal(t, first.PublicKey().Type(), ssh.KeyAlgoED25519)
	again, err := Load(dir)
	testkit.OK(t, err)
	testkit.Equal(t, Fingerprint(first), Fingerprint(again))
	if !strings.HasPrefix(Fingerprint(first), "SHA256:") {
		t.Errorf("the fingerprint is %q", Fingerprint(first))
	}
	if names := list(t, dir); len(names) != 1 || names[0] != FileName {
		t.Errorf("the directory holds %v", names)
	}
}

// Load checks the mode bits and not whether the system refuses access, because root has access to all files.
func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	load(t, dir)
	for path, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, FileName): 0o600} {
		stat, err := os.Stat(path)
		testkit.OK(t, err)
		testkit.Equal(t, stat.Mode(), want, path)
	}
}

// ssh-keygen reads the file, where that tool is installed.
func TestOpenSSHReadsTheKey(t *testing.T) {
	dir := t.TempDir()
	want := load(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil || !bytes.HasPrefix(text, []byte("-----BEGIN OPENSSH PRIVATE KEY-----\n")) {
		t.Errorf("the file is not in OpenSSH's format (%v)", err)
	}
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return
	}
	out, err := exec.Command(tool, "-l", "-f", filepath.Join(dir, FileName)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("ssh-keygen says %q (%v), want %s", out, err, want)
	}
}

func TestLeftTemporaryFilesAreHarmless(t *testing.T) {
	dir := t.TempDir()
	for _, left := range []string{"." + FileName + "-1", "." + FileName + "-2"} {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, left), []byte("half a k"), 0o600))
	}
	if first, again := load(t, dir), load(t, dir); first != again {
		t.Errorf("the key changed from %s to %s", first, again)
	}
	if names := list(t, dir); len(names) != 3 {
		t.Errorf("the directory holds %v", names)
	}
}

func TestProcessesThatStartAtOnceAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var out []*bufio.Reader
	var shots []io.Closer
	for range 20 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), startIn+"="+dir)
		stdin, err := cmd.StdinPipe()
		testkit.OK(t, err)
		stdout, err := cmd.StdoutPipe()
		testkit.OK(t, err)
		testkit.OK(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Wait() })
		shots, out = append(shots, stdin), append(out, bufio.NewReader(stdout))
	}
	for _, r := range out {
		line(t, r)
	}
	for _, s := range shots {
		_ = s.Close()
	}
	prints := make([]string, len(out))
	for i, r := range out {
		prints[i] = line(t, r)
	}
	agree(t, prints, load(t, dir))
}

func agree(t *testing.T, prints []string, want string) {
	t.Helper()
	for i, p := range prints {
		testkit.Equal(t, p, want, i)
	}
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	s, err := r.ReadString('\n')
	testkit.OK(t, err)
	return strings.TrimSpace(s)
}

func load(t *testing.T, dir string) (fingerprint string) {
	t.Helper()
	signer, err := Load(dir)
	testkit.OK(t, err)
	return Fingerprint(signer)
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	testkit.OK(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
