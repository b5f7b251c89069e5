package sshapp

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/sshapp/admin"
)

// Keys of the tests.
const (
	adminKey     = 41
	moderatorKey = 42
)

// withAdmins has a server know an administrator and a moderator.
func withAdmins(t *testing.T) func(*options) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "admins")
	line := func(key byte) string { return string(gossh.MarshalAuthorizedKey(newKey(t, key).PublicKey())) }
	text := "# ours\n\n" + line(adminKey) + `role="moderator" ` + line(moderatorKey)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := &admin.Keys{Log: slog.New(slog.DiscardHandler)}
	if err := keys.SetFiles(path, ""); err != nil {
		t.Fatal(err)
	}
	return func(o *options) { o.admins = keys }
}

// as runs a command of a client with a key, or of a guest without one.
func (h *testServer) as(key gossh.Signer, line string) (stdout, stderr string, status int) {
	h.t.Helper()
	client, before := h.dial("alice", key), h.admission.Sessions()
	defer eventually(h.t, "the end of the session", func() bool { return h.admission.Sessions() <= before })
	defer func() { _ = client.Close() }()
	return runOn(h.t, client, line)
}

// runOn runs a command on a connection.
func runOn(t testing.TB, client *gossh.Client, line string) (stdout, stderr string, status int) {
	t.Helper()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	session.Stdout, session.Stderr = &out, &errs
	if err := session.Run(line); err != nil {
		exit := (*gossh.ExitError)(nil)
		if !errors.As(err, &exit) {
			t.Fatalf("%s: %v", line, err)
		}
		status = exit.ExitStatus()
	}
	return out.String(), errs.String(), status
}

// Administration is unknown to players, word for word, and the log has no more about it than about other words.
func TestAdministrationIsUnknownToPlayers(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for name, key := range map[string]gossh.Signer{"a key": newKey(t, 1), "a guest": nil} {
		for _, rest := range []string{"", " status", " status --json", " help", " --help", " 'x"} {
			out, complaint, status := h.as(key, "admin"+rest)
			out2, complaint2, status2 := h.as(key, "qdmin"+rest)
			if out != out2 || status != status2 || complaint != strings.Replace(complaint2, "qdmin", "admin", 1) {
				t.Errorf("%s, %q: %d %q %q, and another word %d %q %q", name, rest, status, out, complaint, status2, out2,
					complaint2)
			}
		}
		if out, complaint, _ := h.as(key, "help"); strings.Contains(out+complaint, "admin") {
			t.Errorf("%s: the help has it: %s", name, out)
		}
	}
	// offered, not proven
	config := login("mallory", nil)
	config.Auth = append([]gossh.AuthMethod{gossh.PublicKeys(unprovable{newKey(t, adminKey)})}, config.Auth...)
	if _, complaint, status := runOn(t, h.client(h.connect(), config), "admin status"); status != 2 ||
		!strings.Contains(complaint, `no command "admin"`) {
		t.Errorf("a key that was only offered: %d %s", status, complaint)
	}
	if book := h.log.String(); strings.Contains(book, "event=admin") || strings.Contains(book, "command=admin") {
		t.Errorf("the log says\n%s", book)
	}
}

func TestAdminStatusAndWho(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for _, client := range []*gossh.Client{h.dial("ann", newKey(t, 1)), h.dial("ann", newKey(t, 1)), h.dial("gail", nil)} {
		newPerson(t, client, "xterm", 80, 24).sees("Play someone")
	}
	moderator := newKey(t, moderatorKey)
	out, complaint, status := h.as(moderator, "admin status --json")
	var state admin.Status
	if err := json.Unmarshal([]byte(out), &state); err != nil || status != 0 || complaint != "" || !state.Ready ||
		state.Version != "test" || state.Sessions != 4 || state.Limit == 0 {
		t.Errorf("%d: %s%s: %v", status, out, complaint, err)
	}
	if out, _, _ := h.as(moderator, "admin status"); !strings.Contains(out, ": ready.\n4 of ") {
		t.Errorf("in words: %s", out)
	}
	if book := h.log.String(); !strings.Contains(book, "command=admin") {
		t.Errorf("the log says\n%s", book)
	}
	out, _, _ = h.as(moderator, "admin who --json")
	var all []admin.Session
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 4 {
		t.Fatalf("%s: %v", out, err)
	}
	for i, name := range []string{"ann", "ann"} {
		if s := all[i]; s.Name != name || s.Account != h.player(1, "ann").ID || s.Address != "127.0.0.1" ||
			s.FrontEnd != frontEndScreen || time.Since(s.Since) > time.Minute || s.Matches == nil {
			t.Errorf("session %d is %+v", i, s)
		}
	}
	if all[0].ID == all[1].ID || !strings.HasPrefix(string(all[2].Account), "guest:") ||
		all[3].FrontEnd != frontEndCommand {
		t.Errorf("they are %+v", all)
	}
	for line, want := range map[string]int{
		"--address 127.0.0.0/8": 4, "--address 127.0.0.1": 4, "--address 192.0.2.1": 0, "--match x": 0,
	} {
		out, _, _ := h.as(moderator, "admin who "+line)
		if got := strings.Count(out, "\n"); got != want {
			t.Errorf("%s: %d lines: %s", line, got, out)
		}
	}
	if _, complaint, status := h.as(moderator, "admin who --address x"); status != 2 ||
		!strings.Contains(complaint, "neither an address") {
		t.Errorf("a wrong network: %d %s", status, complaint)
	}
	if n := h.Stats.Admin.Get(AdminCommand{"who", "ok"}); n != 5 || h.Stats.Admin.Get(AdminCommand{"who", "failed"}) != 1 {
		t.Errorf("%d are counted", n)
	}
	want := regexp.MustCompile(`event=admin actor=` + string(h.player(moderatorKey, "x").ID) +
		` role=moderator command=status object="" reason="" status=ok session=\d+\.1`)
	if book := h.log.String(); !want.MatchString(book) {
		t.Errorf("the log says\n%s", book)
	}
}

// operator connects by a control socket.
func (h *testServer) operator() *gossh.Client {
	h.t.Helper()
	listener, err := net.Listen("unix", filepath.Join(h.t.TempDir(), "s"))
	if err != nil {
		h.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.ServeOperator(listener) }()
	h.t.Cleanup(func() {
		_ = listener.Close()
		<-served
	})
	conn, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	config := login("operator", nil)
	config.Auth = nil
	return h.client(conn, config)
}

// An administrator gets into a full server, and so does the operator, who needs no login.
func TestAdministratorsGetIntoAFullServer(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) {
		o.MaxSessions, o.MaxWaiting, o.MaxSessionsPerAddress = 1, 1, 1
	})
	h.sit("ann", newKey(t, 1)).sees("Play someone")
	if _, _, status := h.as(newKey(t, adminKey), "admin status"); status != 0 {
		t.Errorf("an administrator is answered with %d", status)
	}
	client := h.operator()
	out, complaint, status := runOn(t, client, "admin who")
	if status != 0 ||
		!strings.Contains(out, "ann from 127.0.0.1 on screen") || !strings.Contains(out, "from here on command") {
		t.Errorf("the operator is answered with %d: %s%s", status, out, complaint)
	}
	if book := h.log.String(); !strings.Contains(book, "actor=operator role=admin command=who") {
		t.Errorf("the log says\n%s", book)
	}
}
