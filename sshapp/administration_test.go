package sshapp

import (
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/hostkeys"
	"notakto/internal/testkit"
	"notakto/match/limit"
	"notakto/match/store"
	"notakto/rules"
	"notakto/sshapp/cli/admin"
)

const (
	adminKey     = 41
	moderatorKey = 42
)

// withAdmins configures an administrator and a moderator.
func withAdmins(t *testing.T) func(*options) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "admins")
	line := func(key byte) string { return string(gossh.MarshalAuthorizedKey(newKey(t, key).PublicKey())) }
	text := "# ours\n\n" + line(adminKey) + `role="moderator" ` + line(moderatorKey)
	testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	keys := &admin.Keys{Log: slog.New(slog.DiscardHandler)}
	testkit.OK(t, keys.SetFiles(path, ""))
	return func(o *options) { o.admins = keys }
}

// as runs a command of a client with a key, or of a guest if key is nil.
func (s *testServer) as(key gossh.Signer, line string) (stdout, stderr string, status int) {
	s.t.Helper()
	client, before := s.dial("alice", key), s.admission.Sessions()
	defer eventually(s.t, "the end of the session", func() bool { return s.admission.Sessions() <= before })
	defer func() { _ = client.Close() }()
	return runOn(s.t, client, line)
}

// A player gets the answer to an unknown word, and the log has no more than for other unknown words.
func TestAdministrationIsUnknownToPlayers(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for name, key := range map[string]gossh.Signer{"a key": newKey(t, 1), "a guest": nil} {
		for _, rest := range []string{"", " status", " status --json", " help", " --help", " 'x"} {
			out, complaint, status := h.as(key, "admin"+rest)
			out2, complaint2, status2 := h.as(key, "qdmin"+rest)
			if out != out2 || status != status2 || complaint != strings.Replace(complaint2, "qdmin", "admin", 1) {
				t.Errorf("%s, %q: %d %q %q, and another word %d %q %q", name, rest, status, out, complaint, status2,
					out2,
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
	for _, client := range []*gossh.Client{h.dial("ann", newKey(t, 1)), h.dial("ann", newKey(t, 1)),
		h.dial("gail", nil)} {
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
	testkit.Contains(t, h.log.String(), "command=admin")
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
		testkit.Equal(t, strings.Count(out, "\n"), want, line, out)
	}
	if _, complaint, status := h.as(moderator, "admin who --address x"); status != 2 ||
		!strings.Contains(complaint, "neither an address") {
		t.Errorf("a wrong network: %d %s", status, complaint)
	}
	if n := h.Stats.Admin.Get(AdminCommand{"who", "ok"}); n != 5 ||
		h.Stats.Admin.Get(AdminCommand{"who", "failed"}) != 1 {
		t.Errorf("%d are counted", n)
	}
	want := regexp.MustCompile(`event=admin actor=` + string(h.player(moderatorKey, "x").ID) +
		` role=moderator command=status object="" reason="" status=ok session=\d+\.1`)
	if book := h.log.String(); !want.MatchString(book) {
		t.Errorf("the log says\n%s", book)
	}
}

// operator connects by a control socket.
func (s *testServer) operator() *gossh.Client {
	s.t.Helper()
	listener, err := net.Listen("unix", filepath.Join(s.t.TempDir(), "s"))
	testkit.OK(s.t, err)
	served := make(chan error, 1)
	go func() { served <- s.ServeOperator(listener) }()
	s.t.Cleanup(func() {
		_ = listener.Close()
		<-served
	})
	conn, err := net.Dial("unix", listener.Addr().String())
	testkit.OK(s.t, err)
	config := login("operator", nil)
	config.Auth = nil
	return s.client(conn, config)
}

// The operator also needs no login.
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
	testkit.Contains(t, h.log.String(), "actor=operator role=admin command=who")
}

// The bytes of a backup and of an import are those of the file. An import is not slowed down like typed input.
func TestDataGoesThroughASession(t *testing.T) {
	dir, quiet := t.TempDir(), slog.New(slog.DiscardHandler)
	if _, err := hostkeys.Load(dir); err != nil { // makes the key
		t.Fatal(err)
	}
	kept, err := store.Open(t.Context(), store.Config{Dir: dir, Log: quiet})
	testkit.OK(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	h := startServer(t, withAdmins(t), func(o *options) {
		o.data = &admin.Data{Store: kept, HostKey: filepath.Join(dir, hostkeys.FileName), Version: "test"}
		o.MaxInputRate = limit.DefaultSettings().MaxInputRate
	})
	out, complaint, status := h.as(newKey(t, adminKey), "admin backup --with-host-key")
	path := filepath.Join(t.TempDir(), "backup")
	testkit.OK(t, os.WriteFile(path, []byte(out), 0o600))
	file, err := os.Open(path)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = file.Close() })
	if m, _, err := store.VerifyBackup(t.Context(), file, quiet); err != nil || m.Version != "test" || status != 0 ||
		complaint != "" || !strings.Contains(out, hostkeys.FileName) {
		t.Errorf("%d: %d bytes, %s, %v", status, len(out), complaint, err)
	}
	for what, args := range map[string]string{"a moderator": "backup", "a moderator's import": "import"} {
		if out, _, status := h.as(newKey(t, moderatorKey), "admin "+args); status != 1 || out != "" {
			t.Errorf("%s gets %d bytes and %d", what, len(out), status)
		}
	}
	session, err := h.dial("ann", newKey(t, adminKey)).NewSession()
	testkit.OK(t, err)
	session.Stdin = strings.NewReader(strings.Repeat(strings.Repeat(" ", 4095)+"\n", 1024) + "no match\n")
	if out, err := session.CombinedOutput("admin import"); err == nil || !strings.Contains(string(out), "line 1025: ") {
		t.Errorf("%s, %v", out, err)
	}
	for _, command := range []string{"backup", "export", "import"} {
		session, err := h.dial("ann", newKey(t, adminKey)).NewSession()
		testkit.OK(t, err)
		testkit.OK(t, session.RequestPty("xterm", 24, 80, nil))
		if out, err := session.CombinedOutput("admin " + command); err == nil ||
			!strings.Contains(string(out), "terminal") {
			t.Errorf("%s on a terminal: %.200q, %v", command, out, err)
		}
	}
}

// Players and spectators are told in every front end that the operator has ended their match.
func TestTheOperatorEndsAMatchInEveryFrontEnd(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t))
	bot := h.bot("alice", 1)
	code := bot.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
	plain := newTalk(t, h.dial("bob", newKey(t, 2)), "join "+code)
	begun := bot.gets("match")
	moderator, operator := newKey(t, moderatorKey), h.operator()
	list := func(flags string) (all []admin.Match) {
		t.Helper()
		out, complaint, status := h.as(moderator, "admin match list --json "+flags)
		if err := json.Unmarshal([]byte(out), &all); err != nil || status != 0 || complaint != "" {
			t.Fatalf("%d: %s%s: %v", status, out, complaint, err)
		}
		return all
	}
	eventually(t, "the match to be idle for a second", func() bool { return len(list("--idle 1s")) == 1 })
	if all := list("--idle 1h"); all == nil || len(all) != 0 {
		t.Errorf("idle for an hour: %+v", all)
	}
	m := list("")[0]
	if string(m.Match) != begun.Match || !m.Private || m.State != "playing" || m.Turn != rules.First || m.Idle < 1 ||
		m.Plies != 0 || !m.Players[0].Here || m.Players[begun.Seat-1].Name != "alice" ||
		m.Players[begun.Seat-1].Account != h.player(1, "").ID {
		t.Errorf("the match is %+v", m)
	}
	spectator := newPersonAt(t, h.dial("cleo", newKey(t, 3)), "watch "+begun.Match)
	spectator.sees("alice", "bob")
	eventually(t, "the spectator to be counted", func() bool { return list("")[0].Spectators == 1 })
	if out, _, _ := h.as(moderator, "admin match list"); !strings.Contains(out, " to move against ") ||
		!strings.HasPrefix(out, begun.Match+"  notakto/2, playing, 0 moves, idle for ") {
		t.Errorf("in words: %s", out)
	}

	end := "admin match end " + begun.Match + " --reason 'it was stuck' "
	if _, complaint, status := h.as(moderator, end); status != 1 || !strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator is answered with %d: %s", status, complaint)
	}
	if _, complaint, status := runOn(t, operator, end+"--winner 3"); status != 2 ||
		!strings.Contains(complaint, "1, 2, or 0") {
		t.Errorf("a third seat has won: %d %s", status, complaint)
	}
	out, complaint, status := runOn(t, operator, end+"--winner 1 --json")
	if status != 0 || out != `{"match":"`+begun.Match+`","winner":1,"reason":"operator"}`+"\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	if e := bot.gets("end"); e.Winner != rules.First || e.Reason != "operator" {
		t.Errorf("the bot is told %+v", e)
	}
	for !strings.Contains(plain.expects(), "Ended by the operator.") {
	}
	spectator.sees("Ended by the operator")
	if _, complaint, status := runOn(t, operator, end); status != 1 ||
		!strings.Contains(complaint, "the match is over") {
		t.Errorf("again: %d %s", status, complaint)
	}
	if _, complaint, status := runOn(t, operator, "admin match end nosuchmatch"); status != 1 ||
		!strings.Contains(complaint, "no such match") {
		t.Errorf("of no match: %d %s", status, complaint)
	}
	out, _, _ = h.as(moderator, "admin match show "+begun.Match)
	testkit.Contains(t, out, ", finished, ", "ended by operator, ")
	recorded := `command="match end" object=` + begun.Match + ` reason="it was stuck" status=ok`
	testkit.Contains(t, h.log.String(), recorded)
}

// An administrator sees and exports the data of a player that the player can see. A new name holds from the next
// login on.
func TestPlayersForAdministrators(t *testing.T) {
	h := startServer(t, withAdmins(t))
	key, id := newKey(t, 1), string(h.player(1, "mallory").ID)
	as := func(line string) (string, string, int) {
		t.Helper()
		return h.as(newKey(t, adminKey), "admin player "+line)
	}
	if _, complaint, status := as("rename " + id + " bob"); status != 1 ||
		!strings.Contains(complaint, "does not know the key") {
		t.Errorf("an account without a record: %d %s", status, complaint)
	}
	if _, complaint, status := h.as(key, "name mallory"); status != 0 {
		t.Fatal(complaint)
	}
	if _, complaint, status := h.as(newKey(t, 2), "name bob"); status != 0 {
		t.Fatal(complaint)
	}
	own, _, _ := h.as(key, "me export")
	for _, x := range []string{id, "@mallory", gossh.FingerprintSHA256(key.PublicKey())} {
		out, complaint, status := as("export " + x)
		if status != 0 || complaint != "" || strings.Replace(own, `"used":true`, `"used":false`, 1) != out {
			t.Errorf("%s is exported with %d as %s%s, and by the player as %s", x, status, out, complaint, own)
		}
	}
	session := h.sit("mallory", key)
	session.sees("Play someone")
	if _, complaint, status := h.as(newKey(t, moderatorKey), "admin ban add @mallory --reason rude"); status != 0 {
		t.Fatal(complaint)
	}
	out, complaint, status := as("show @mallory --json")
	var shown struct {
		ID, Name       string
		Sessions, Bans []string
		Matches        []string
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || status != 0 || shown.ID != id ||
		shown.Name != "mallory" || len(shown.Sessions) != 1 || len(shown.Bans) != 1 || shown.Matches == nil {
		t.Errorf("%d: %s%s: %v", status, out, complaint, err)
	}
	if out, _, _ := as("show " + id); !strings.HasPrefix(out, id+"  mallory (claimed since ") ||
		!strings.Contains(out, "\nsessions "+shown.Sessions[0]+"\n") ||
		!strings.Contains(out, "\nbans "+shown.Bans[0]+"\n") {
		t.Errorf("in words: %s", out)
	}
	for line, want := range map[string]string{
		"rename @mallory bob":       "another player has claimed this name",
		"rename @mallory you\x07":   "that name is not allowed",
		"rename @zoe alice":         "no account has claimed the name",
		"show 192.0.2.1":            "a player is named by",
		"export guest:aaaaaaaaaaaa": "a guest has no account",
	} {
		if _, complaint, status := as(line); status == 0 || !strings.Contains(complaint, want) {
			t.Errorf("%s: %d %s", line, status, complaint)
		}
	}
	out, complaint, status = as("rename @mallory mal 7 --json")
	if want := `{"account":"` + id + `","name":"mal 7","before":"mallory"}` + "\n"; status != 0 || out != want {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	testkit.Equal(t, h.player(1, "mallory").Name, "mal 7")
	if out, complaint, status := h.as(newKey(t, moderatorKey), "admin player show "+id); status != 1 || out != "" ||
		!strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator: %d %s", status, out)
	}
	testkit.Contains(t, h.log.String(), `command="player rename" object="@mallory mal 7"`)
}
