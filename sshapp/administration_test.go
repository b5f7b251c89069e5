package sshapp

import (
	"encoding/json"
	"fmt"
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

// answers runs a command of a client with a key until the end of its session. The command ends with a status and says
// all parts. The result is its standard output.
func (s *testServer) answers(key byte, line string, status int, parts ...string) string {
	s.t.Helper()
	out, complaint, got := s.as(newKey(s.t, key), line)
	testkit.Equal(s.t, got, status, line, out, complaint)
	testkit.Equal(s.t, complaint == "", status == 0, line, complaint)
	testkit.Contains(s.t, out+complaint, parts...)
	return out
}

// succeeds runs a command of the moderator, and returns its output.
func (s *testServer) succeeds(line string) string {
	s.t.Helper()
	return s.answers(moderatorKey, line, 0)
}

// parse reads the JSON that a command has printed.
func parse[T any](t testing.TB, out string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &value); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return value
}

// A player gets the answer to an unknown word, and the log has no more than for other unknown words.
func TestAdministrationIsUnknownToPlayers(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for name, client := range map[string]*gossh.Client{
		"a key": h.dial("ann", newKey(t, 1)), "a guest": h.dial("gail", nil), "an offered key": h.offers(adminKey),
	} {
		for _, rest := range []string{"", " status", " status --json", " help", " --help", " 'x"} {
			out, complaint, status := runOn(t, client, "admin"+rest)
			out2, complaint2, status2 := runOn(t, client, "qdmin"+rest)
			testkit.Equal(t, fmt.Sprintln(status, out, complaint),
				strings.Replace(fmt.Sprintln(status2, out2, complaint2), "qdmin", "admin", 1), name, rest)
		}
		out, complaint, _ := runOn(t, client, "help")
		testkit.Equal(t, strings.Contains(out+complaint, "admin"), false, name, out)
	}
	if book := h.log.String(); strings.Contains(book, "event=admin") || strings.Contains(book, "command=admin") {
		t.Errorf("the log says\n%s", book)
	}
}

func TestAdminStatusAndWho(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for user, key := range map[string]gossh.Signer{"ann": newKey(t, 1), "ben": newKey(t, 2), "gail": nil} {
		h.sit(user, key).sees("Play someone")
	}
	state := parse[admin.Status](t, h.succeeds("admin status --json"))
	if !state.Ready || state.Version != "test" || state.Sessions != 4 || state.Limit == 0 {
		t.Errorf("the status is %+v", state)
	}
	h.answers(moderatorKey, "admin status", 0, ": ready.\n4 of ")
	all := parse[[]admin.Session](t, h.succeeds("admin who --json"))
	accounts, ids := map[string]string{}, map[string]bool{}
	for _, s := range all {
		accounts[s.Name+" on "+s.FrontEnd], ids[s.ID] = string(s.Account), true
		if s.Address != "127.0.0.1" || time.Since(s.Since) > time.Minute || s.Matches == nil {
			t.Errorf("a session is %+v", s)
		}
	}
	if len(ids) != 4 || len(accounts) != 4 || accounts["ann on screen"] != string(h.player(1, "").ID) ||
		!strings.HasPrefix(accounts["gail on screen"], "guest:") {
		t.Errorf("they are %+v", all)
	}
	for line, want := range map[string]int{
		"--address 127.0.0.0/8": 4, "--address 127.0.0.1": 4, "--address 192.0.2.1": 0, "--match x": 0,
	} {
		out := h.succeeds("admin who " + line)
		testkit.Equal(t, strings.Count(out, "\n"), want, line, out)
	}
	h.answers(moderatorKey, "admin who --address x", 2, "neither an address")
	testkit.Equal(t, h.Stats.Admin.Get(AdminCommand{"who", "ok"}), 5)
	testkit.Equal(t, h.Stats.Admin.Get(AdminCommand{"who", "failed"}), 1)
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

// An administrator also gets in from an address that is banned for others, and the operator needs no login.
func TestAdministratorsAreNotKeptOut(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) {
		o.MaxSessions, o.MaxWaiting, o.MaxSessionsPerAddress = 1, 1, 1
	})
	h.inLobby("ann", 1)
	h.succeeds("admin ban add " + line(t, adminKey))
	h.succeeds("admin ban add " + string(h.player(moderatorKey, "").ID))
	h.succeeds("admin ban add 127.0.0.0/8 --for 1h --reason flood")
	h.answers(adminKey, "admin status", 0)
	h.answers(moderatorKey, "admin status", 0)
	for _, key := range []gossh.Signer{newKey(t, 2), nil} {
		h.refused(key, "your address is banned from this server until")
	}
	out, complaint, status := runOn(t, h.operator(), "admin who")
	testkit.Equal(t, status, 0, complaint)
	testkit.Contains(t, out, "ann from 127.0.0.1 on screen", "from here on command")
	testkit.Contains(t, h.log.String(), "actor=operator role=admin command=who")
}

// The bytes of a backup and of an import are those of the file. An import is not slowed down like typed input.
func TestDataGoesThroughASession(t *testing.T) {
	dir, quiet := t.TempDir(), slog.New(slog.DiscardHandler)
	_, err := hostkeys.Load(dir) // makes the key
	testkit.OK(t, err)
	kept := testkit.OpenStore(t, dir)
	t.Cleanup(func() { _ = kept.Close() })
	h := startServer(t, withAdmins(t), func(o *options) {
		o.data = &admin.Data{Store: kept, HostKey: filepath.Join(dir, hostkeys.FileName), Version: "test"}
		o.MaxInputRate = limit.DefaultSettings().MaxInputRate
	})
	path := filepath.Join(t.TempDir(), "backup")
	backup := h.answers(adminKey, "admin backup --with-host-key", 0, hostkeys.FileName)
	testkit.OK(t, os.WriteFile(path, []byte(backup), 0o600))
	file, err := os.Open(path)
	testkit.OK(t, err)
	defer func() { _ = file.Close() }()
	m, _, err := store.VerifyBackup(t.Context(), file, quiet)
	testkit.OK(t, err)
	testkit.Equal(t, m.Version, "test")
	testkit.Equal(t, h.answers(moderatorKey, "admin backup", 1)+h.answers(moderatorKey, "admin import", 1), "")
	_, complaint, _ := runOn(t, h.dial("ann", newKey(t, adminKey)), "admin import",
		strings.Repeat(strings.Repeat(" ", 4095)+"\n", 1024)+"no match\n")
	testkit.Contains(t, complaint, "line 1025: ")
	for _, command := range []string{"backup", "export", "import"} {
		session, err := h.dial("ann", newKey(t, adminKey)).NewSession()
		testkit.OK(t, err)
		testkit.OK(t, session.RequestPty("xterm", 24, 80, nil))
		out, err := session.CombinedOutput("admin " + command)
		testkit.Contains(t, string(out), "terminal")
		testkit.Equal(t, err != nil, true, command)
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
	list := func(flags string) []admin.Match {
		t.Helper()
		return parse[[]admin.Match](t, h.succeeds("admin match list --json "+flags))
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
	h.answers(moderatorKey, "admin match list", 0, " to move against ",
		begun.Match+"  notakto/2, playing, 0 moves, idle for ")

	end := "admin match end " + begun.Match + " --reason 'it was stuck' "
	h.answers(moderatorKey, end, 1, "for administrators")
	operator := h.operator()
	for _, one := range []struct {
		line   string
		status int
		want   string
	}{
		{end + "--winner 3", 2, "1, 2, or 0"},
		{end + "--winner 1 --json", 0, `{"match":"` + begun.Match + `","winner":1,"reason":"operator"}` + "\n"},
		{end, 1, "the match is over"},
		{"admin match end nosuchmatch", 1, "no such match"},
	} {
		out, complaint, status := runOn(t, operator, one.line)
		testkit.Equal(t, status, one.status, one.line, out, complaint)
		testkit.Contains(t, out+complaint, one.want)
	}
	e := bot.gets("end")
	testkit.Equal(t, e.Winner, rules.First)
	testkit.Equal(t, e.Reason, "operator")
	for !strings.Contains(plain.expects(), "Ended by the operator.") {
	}
	spectator.sees("Ended by the operator")
	h.answers(moderatorKey, "admin match show "+begun.Match, 0, ", finished, ", "ended by operator, ")
	testkit.Contains(t, h.log.String(),
		`command="match end" object=`+begun.Match+` reason="it was stuck" status=ok`)
}

// An administrator sees and exports the data of a player that the player can see. A new name holds from the next
// login on.
func TestPlayersForAdministrators(t *testing.T) {
	h := startServer(t, withAdmins(t))
	id := string(h.player(1, "mallory").ID)
	h.answers(adminKey, "admin player rename "+id+" bob", 1, "does not know the key") // an account without a record
	h.answers(1, "name mallory", 0)
	h.answers(2, "name bob", 0)
	own := strings.Replace(h.answers(1, "me export", 0), `"used":true`, `"used":false`, 1)
	for _, x := range []string{id, "@mallory", gossh.FingerprintSHA256(newKey(t, 1).PublicKey())} {
		testkit.Equal(t, h.answers(adminKey, "admin player export "+x, 0), own, x)
	}
	h.inLobby("mallory", 1)
	h.succeeds("admin ban add @mallory --reason rude")
	shown := parse[struct {
		ID, Name                string
		Sessions, Bans, Matches []string
	}](t, h.answers(adminKey, "admin player show @mallory --json", 0))
	if shown.ID != id || shown.Name != "mallory" || len(shown.Sessions) != 1 || len(shown.Bans) != 1 ||
		shown.Matches == nil {
		t.Fatalf("shown is %+v", shown)
	}
	h.answers(adminKey, "admin player show "+id, 0, id+"  mallory (claimed since ",
		"\nsessions "+shown.Sessions[0]+"\n", "\nbans "+shown.Bans[0]+"\n")
	for line, want := range map[string]string{
		"rename @mallory bob":       "1 another player has claimed this name",
		"rename @mallory you\x07":   "1 that name is not allowed",
		"rename @zoe alice":         "1 no account has claimed the name",
		"show 192.0.2.1":            "2 a player is named by",
		"export guest:aaaaaaaaaaaa": "2 a guest has no account",
	} {
		h.answers(adminKey, "admin player "+line, int(want[0]-'0'), want[2:])
	}
	h.answers(moderatorKey, "admin player show "+id, 1, "for administrators")
	testkit.Equal(t, h.answers(adminKey, "admin player rename @mallory mal 7 --json", 0),
		`{"account":"`+id+`","name":"mal 7","before":"mallory"}`+"\n")
	testkit.Equal(t, h.player(1, "mallory").Name, "mal 7")
	testkit.Contains(t, h.log.String(), `command="player rename" object="@mallory mal 7"`)
}
