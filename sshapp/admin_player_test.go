package sshapp

import (
	"encoding/json"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// An administrator sees and exports a player as the player can, and gives another name, which holds from the next login
// on.
func TestPlayersForAdministrators(t *testing.T) {
	h := startServer(t, withAdmins(t))
	key, id := newKey(t, 1), string(h.player(1, "mallory").ID)
	as := func(line string) (string, string, int) {
		t.Helper()
		return h.as(newKey(t, adminKey), "admin player "+line)
	}
	if _, complaint, status := as("rename " + id + " bob"); status != 1 ||
		!strings.Contains(complaint, "nothing was decided") {
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
		!strings.Contains(out, "\nsessions "+shown.Sessions[0]+"\n") || !strings.Contains(out, "\nbans "+shown.Bans[0]+"\n") {
		t.Errorf("in words: %s", out)
	}
	for line, want := range map[string]string{
		"rename @mallory bob":       "another player has claimed this name",
		"rename @mallory you\x07":   "this cannot be a name",
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
	if name := h.player(1, "mallory").Name; name != "mal 7" {
		t.Errorf("the next login is that of %s", name)
	}
	if out, complaint, status := h.as(newKey(t, moderatorKey), "admin player show "+id); status != 1 || out != "" ||
		!strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator: %d %s", status, out)
	}
	if book := h.log.String(); !strings.Contains(book, `command="player rename" object="@mallory mal 7"`) {
		t.Errorf("the log says\n%s", book)
	}
}
