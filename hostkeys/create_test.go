package hostkeys

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestLoadMakesAKeyThatStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "down")
	first, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if kind := first.PublicKey().Type(); kind != ssh.KeyAlgoED25519 {
		t.Errorf("the key is of type %s", kind)
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if Fingerprint(first) != Fingerprint(again) {
		t.Errorf("the second start has key %s, the first had %s", Fingerprint(again), Fingerprint(first))
	}
	if !strings.HasPrefix(Fingerprint(first), "SHA256:") {
		t.Errorf("the fingerprint is %q", Fingerprint(first))
	}
	if names := list(t, dir); len(names) != 1 || names[0] != FileName {
		t.Errorf("the directory holds %v", names)
	}
}

func TestKeysDiffer(t *testing.T) {
	if a, b := load(t, t.TempDir()), load(t, t.TempDir()); a == b {
		t.Errorf("two servers have the same key %s", a)
	}
}

// The mode bits are looked at, and not whether access is refused: root may do anything.
func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	load(t, dir)
	for path, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, FileName): 0o600} {
		stat, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if stat.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, stat.Mode(), want)
		}
	}
}

// The file is in OpenSSH's own format, and where its tool is installed that reads it.
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
		if err := os.WriteFile(filepath.Join(dir, left), []byte("half a k"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if first, again := load(t, dir), load(t, dir); first != again {
		t.Errorf("the key changed from %s to %s", first, again)
	}
	if names := list(t, dir); len(names) != 3 {
		t.Errorf("the directory holds %v", names)
	}
}

// Servers that checked first and wrote afterwards each made a key when they started at the same moment. All but the
// last showed players a key that was lost at the next start.
func TestGoroutinesThatStartAtOnceAgree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	start := make(chan struct{})
	prints := make([]string, 20)
	var all sync.WaitGroup
	for i := range prints {
		all.Go(func() {
			<-start
			signer, err := Load(dir)
			if err != nil {
				t.Error(err)
				return
			}
			prints[i] = Fingerprint(signer)
		})
	}
	close(start)
	all.Wait()
	agree(t, prints, load(t, dir))
	if names := list(t, dir); len(names) != 1 {
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
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
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
		if p != want {
			t.Errorf("server %d has key %q, the file has %s", i, p, want)
		}
	}
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	s, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(s)
}

func load(t *testing.T, dir string) (fingerprint string) {
	t.Helper()
	signer, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return Fingerprint(signer)
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
