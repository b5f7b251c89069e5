package sshapp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/admin"
	"notakto/sshapp/limit"
)

// anyBytes is data with every byte. It implements [admin.Data].
type anyBytes struct {
	bytes    []byte
	withKey  bool
	imported chan []byte
}

func (d *anyBytes) Backup(_ context.Context, w io.Writer, withKey bool) error {
	d.withKey = withKey
	_, err := w.Write(d.bytes)
	return err
}

func (d *anyBytes) LastBackup() *admin.Backup { return nil }

func (d *anyBytes) Export(_ context.Context, w io.Writer, since time.Time, _ bool) error {
	_, err := io.WriteString(w, since.String())
	return err
}

func (d *anyBytes) Import(_ context.Context, r io.Reader) (added, known int, err error) {
	hash := sha256.New()
	n, err := io.Copy(hash, r)
	d.imported <- hash.Sum(nil)
	return int(n), 0, err
}

// The bytes of a backup and of an import are those of the file, and an import is not held up as what a player types.
func TestDataGoesThroughASession(t *testing.T) {
	data := &anyBytes{bytes: make([]byte, 4<<20), imported: make(chan []byte, 1)}
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data.bytes) // never fails
	h := startServer(t, withAdmins(t), func(o *options) {
		o.data, o.MaxInputRate = data, limit.DefaultSettings().MaxInputRate
	})
	out, complaint, status := h.as(newKey(t, adminKey), "admin backup --with-host-key")
	if status != 0 || complaint != "" || !bytes.Equal([]byte(out), data.bytes) || !data.withKey {
		t.Errorf("%d: %d bytes, %s", status, len(out), complaint)
	}
	for what, args := range map[string]string{"a moderator": "backup", "a moderator's import": "import"} {
		if out, _, status := h.as(newKey(t, moderatorKey), "admin "+args); status != 1 || out != "" {
			t.Errorf("%s gets %d bytes and %d", what, len(out), status)
		}
	}
	session, err := h.dial("ann", newKey(t, adminKey)).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	session.Stdin = bytes.NewReader(data.bytes)
	answer, err := session.Output("admin import --json")
	if want := `{"added":4194304,"known":0}` + "\n"; err != nil || string(answer) != want {
		t.Errorf("%s, %v", answer, err)
	}
	if sum, want := <-data.imported, sha256.Sum256(data.bytes); !bytes.Equal(sum, want[:]) {
		t.Errorf("imported %s", hex.EncodeToString(sum))
	}
	for _, command := range []string{"backup", "export", "import"} {
		session, err := h.dial("ann", newKey(t, adminKey)).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if err := session.RequestPty("xterm", 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		if out, err := session.CombinedOutput("admin " + command); err == nil || !strings.Contains(string(out), "terminal") {
			t.Errorf("%s on a terminal: %.200q, %v", command, out, err)
		}
	}
}
