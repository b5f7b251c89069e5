package sshapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/sshapp/cli/admin"
)

// succeeds runs a command of the moderator, and returns its output.
func (s *testServer) succeeds(line string) string {
	s.t.Helper()
	out, complaint, status := s.as(newKey(s.t, moderatorKey), line)
	if status != 0 || complaint != "" {
		s.t.Fatalf("%s: %d %s%s", line, status, out, complaint)
	}
	return out
}

// line returns a key as a line of an authorized_keys file.
func line(t testing.TB, key byte) string {
	return strings.TrimSpace(string(gossh.MarshalAuthorizedKey(newKey(t, key).PublicKey()))) + " ann@desk"
}

// refused waits until a session of key fails with reason.
func (s *testServer) refused(key gossh.Signer, reason string) string {
	s.t.Helper()
	complaint, status := "", 0
	eventually(s.t, "the client is refused", func() bool {
		_, complaint, status = s.as(key, "version")
		return status == 1 && strings.Contains(complaint, reason)
	})
	return complaint
}

func TestABannedPlayerReadsWhyAndUntilWhen(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t))
	ann, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(ann, bob)
	out := h.succeeds("admin ban add " + line(t, 1) + " --for 3s --reason 'spam \x1b[31m' --kick --json")
	var made admin.Ban
	if err := json.Unmarshal([]byte(out), &made); err != nil || !account.IsBanReference(made.Reference) ||
		made.Key != h.accounts.Key(gossh.FingerprintSHA256(newKey(t, 1).PublicKey())) ||
		made.By != string(h.player(moderatorKey, "").ID) ||
		made.Until.Sub(made.Since).Round(time.Second) != 3*time.Second {
		t.Fatalf("%s: %+v, %v", out, made, err)
	}
	want := fmt.Sprintf("you are banned from this server until %s UTC: spam [31m (reference %s)",
		made.Until.Format(time.DateTime), made.Reference)
	exit := (*gossh.ExitError)(nil)
	if err := ann.leaves(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("the session ended with %v", err)
	}
	testkit.Contains(t, strings.Join(strings.Fields(ann.sent()), " "), want)
	testkit.Equal(t, h.refused(newKey(t, 1), "spam"), "notakto: "+want+"\n")
	bob.press("?")
	bob.sees("Any key goes back")
	eventually(t, "the end of the ban",
		func() bool { _, _, status := h.as(newKey(t, 1), "version"); return status == 0 })
	testkit.Equal(t, h.succeeds("admin ban list"), "There are no bans.\n")
	if n := h.rejections.Counts.Get(limit.Banned); n < 2 {
		t.Errorf("%d are counted", n)
	}
	book := h.log.String()
	for _, line := range []string{
		`reason=banned .*player=` + string(h.player(1, "").ID), `session ended .*reason=banned status=1`,
		`command="ban add" object="key ` + string(made.Key),
	} {
		if !regexp.MustCompile(line).MatchString(book) {
			t.Errorf("the log has no %s:\n%s", line, book)
		}
	}
	if strings.Contains(book, "ssh-ed25519") || strings.Contains(book, "SHA256:") {
		t.Errorf("the log has a key:\n%s", book)
	}
}

func TestABannedPlayerTakesNoPlace(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 1 })
	ann := h.sit("ann", newKey(t, 1))
	ann.sees("Play someone")
	h.succeeds("admin ban add " + string(h.player(2, "").ID))
	h.refused(newKey(t, 2), "banned from this server (reference")
	ann.press("?")
	ann.sees("Any key goes back")
}

// An administrator reads what a ban does before the players do.
func TestABanCountsTheSessionsThatItAppliesTo(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t))
	id := string(h.player(1, "").ID)
	first, second := h.sit("ann", newKey(t, 1)), h.sit("ann", newKey(t, 1))
	first.sees("Play someone")
	second.sees("Play someone")
	h.sit("bob", newKey(t, 2)).sees("Play someone")
	testkit.Contains(t, h.succeeds("admin ban add 127.0.0.9 --for 1h"), "\nIt applies to no session of this server.\n")
	testkit.Contains(t, h.succeeds("admin ban add "+id),
		"\nIt applies to 2 sessions of this server: --kick would end them.\n")
	testkit.Contains(t, h.succeeds("admin ban add 127.0.0.1 --for 1h --json"), `,"sessions":3}`) // not the moderator
	testkit.Contains(t, h.succeeds("admin ban add "+id+" --kick"), "\nIt ended 2 sessions of this server.\n")
	_, _ = first.leaves(), second.leaves()
	testkit.Contains(t, h.succeeds("admin ban add "+id+" --kick"), "\nIt ended no session of this server.\n")
}

// All clients of a proxy would seem to be at its address if the proxy stopped naming them.
func TestAProxyCannotBeBanned(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t), func(o *options) {
		o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("2001:db8::7/128")}
	})
	for _, x := range []string{"10.0.0.7", "10.0.0.0/16", "2001:db8::7", "2001:db8::/48"} {
		_, complaint, status := h.as(newKey(t, moderatorKey), "admin ban add "+x+" --for 1h")
		testkit.Equal(t, status, 2, x)
		testkit.Contains(t, complaint, "has a proxy of --proxy-from (", "admin who")
	}
	h.succeeds("admin ban add 10.0.1.7 --for 1h")
	h.succeeds("admin ban add 2001:db8:0:1::7 --for 1h")
	h.succeeds("admin ban add " + string(h.player(1, "").ID))
}

// nameOfAnn claims a name for the first key.
func nameOfAnn(t *testing.T, h *testServer) {
	t.Helper()
	accounts := h.accounts
	key := accounts.Key(gossh.FingerprintSHA256(newKey(t, 1).PublicKey()))
	testkit.OK(t, accounts.Claim(t.Context(), account.Caller{Account: accounts.Account(key), Key: key}, "Ann"))
}

func TestBansAreAddedListedCheckedAndRemoved(t *testing.T) {
	h := startServer(t, withAdmins(t))
	nameOfAnn(t, h)
	id := string(h.player(1, "").ID)
	fingerprint := gossh.FingerprintSHA256(newKey(t, 2).PublicKey())
	for _, c := range []struct{ add, shown string }{
		{"@ann", "account " + id + ` \(Ann\) for good`}, {id + " --for 1d12h", "account " + id + ` \(Ann\) until`},
		{fingerprint, "key [a-z2-7]{16} for good"}, {"192.0.2.7 --for 30d", `192\.0\.2\.7 until`},
		{"198.51.100.9/24 --for 1h", `198\.51\.100\.0/24 until`},
		{"2001:db8::7 --for 1h", "2001:db8::/64 until"}, {"2001:db8::7/128 --for 1h", "2001:db8::7 until"},
	} {
		by := string(h.player(moderatorKey, "").ID)
		want := regexp.MustCompile(`^Banned: B\d+  ` + c.shown + `.*, by ` + by + " on .*: no")
		if out := h.succeeds("admin ban add " + c.add); !want.MatchString(out) {
			t.Errorf("%s: %s", c.add, out)
		}
	}
	var all []admin.Ban
	if err := json.Unmarshal([]byte(h.succeeds("admin ban list --json")), &all); err != nil || len(all) != 6 {
		t.Fatalf("listed are %+v, %v", all, err)
	}
	var status admin.Status
	if err := json.Unmarshal([]byte(h.succeeds("admin status --json")), &status); err != nil || status.Bans != 6 {
		t.Errorf("the status has %d, %v", status.Bans, err)
	}
	if out := h.succeeds("admin ban list"); strings.Count(out, "\n") != 6 {
		t.Errorf("the list is %s", out)
	}
	for x, n := range map[string]int{
		"@Ann": 1, fingerprint: 1, "192.0.2.7": 1, "192.0.2.8": 0, "198.51.100.200": 1, "2001:db8::8": 1,
		"2001:db8:1::7": 0,
		line(t, 1):      1, line(t, 3): 0,
	} {
		var found []admin.Ban
		if out := h.succeeds("admin ban check " + x + " --json"); json.Unmarshal([]byte(out), &found) != nil ||
			len(found) != n {
			t.Errorf("%s has %s", x, out)
		}
	}
	testkit.Equal(t, h.succeeds("admin ban check 192.0.2.8"), "192.0.2.8 is not banned.\n")
	if _, complaint, status := h.as(newKey(t, moderatorKey), "admin ban remove 198.51.100.7"); status != 1 ||
		!strings.Contains(complaint, "198.51.100.7 is not banned itself: ban B") {
		t.Errorf("a part of a network: %d %s", status, complaint)
	}
	for _, x := range []string{"@ann", fingerprint, all[5].Reference, "192.0.2.7", "198.51.100.0/24", "2001:db8::/64"} {
		if out := h.succeeds("admin ban remove " + x); !strings.HasPrefix(out, "Lifted: B") {
			t.Errorf("%s: %s", x, out)
		}
	}
	testkit.Equal(t, h.succeeds("admin ban list --json"), "[]\n")
}

func TestWrongBansAreRefused(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for line, want := range map[string]string{
		"add":   "2 add takes an account",
		"add x": "2 is none of these", "add @bob": `1 no account has claimed the name "bob"`,
		"add guest:x": "2 ban the address", "add 192.0.2.7": "2 must end", "add 192.0.2.7 --for 31d": "2 must end",
		"add 10.0.0.0/7 --for 1h": "2 is too large", "add 2001::/31 --for 1h": "2 is too large",
		"add @bob --for x": "2 such as 90s", "add 192.0.2.7 --for 0s": "2 such as 90s",
		"add 192.0.2.7 --for -1h":                                     "2 such as 90s",
		"add 192.0.2.7 --for 1h --reason " + strings.Repeat("x", 201): "2 want 200 at most",
		"add 192.0.2.7%eth0 --for 1h":                                 "2 is none of these",
		"add SHA256:x":                                                "2 is none of these",
		"remove 192.0.2.7":                                            "1 192.0.2.7 is not banned",
		"remove B999":                                                 "1 there is no ban B999",
		"check":                                                       "2 ", "frobnicate": "2 ",
	} {
		_, complaint, status := h.as(newKey(t, moderatorKey), "admin ban "+line)
		code, text, _ := strings.Cut(want, " ")
		if fmt.Sprint(status) != code || !strings.Contains(complaint, text) || strings.Count(complaint, "\n") != 1 {
			t.Errorf("%s: %d %s", line, status, complaint)
		}
	}
	if all := h.accounts.Bans(); len(all) != 0 {
		t.Errorf("in force are %+v", all)
	}
}

// The address is refused before the key exchange only if the server has no administrators' keys.
func TestABannedAddressIsRefusedBeforeTheLogin(t *testing.T) {
	h := startServer(t)
	operator := h.operator()
	if _, complaint, status := runOn(t, operator, "admin ban add 127.0.0.2/32 --for 1h --reason flood"); status != 0 {
		t.Fatal(complaint)
	}
	from := func(address byte) (*gossh.Client, error) {
		conn := h.connectBy(&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, address)}})
		defer time.AfterFunc(testTimeout, func() { _ = conn.Close() }).Stop()
		c, channels, requests, err := gossh.NewClientConn(conn, "", login("ann", newKey(t, 1)))
		if err != nil {
			return nil, err
		}
		return gossh.NewClient(c, channels, requests), nil
	}
	if _, err := from(2); err == nil ||
		!strings.Contains(err.Error(), `reason 1: "your address is banned from this `) ||
		!strings.Contains(err.Error(), ": flood (reference B") {
		t.Errorf("a banned address: %v", err)
	}
	if _, err := from(3); err != nil {
		t.Errorf("another address: %v", err)
	}
	eventually(t, "it is counted", func() bool { return h.rejections.Counts.Get(limit.Banned) == 1 })
	if _, complaint, status := runOn(t, operator, "admin ban remove 127.0.0.2"); status != 0 {
		t.Fatal(complaint)
	}
	if _, err := from(2); err != nil {
		t.Errorf("after the ban: %v", err)
	}
}

// An administrator gets in from an address that is banned for others.
func TestAdministratorsAreNotKeptOut(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 1 })
	h.sit("ann", newKey(t, 1)).sees("Play someone")
	h.succeeds("admin ban add " + line(t, adminKey))
	h.succeeds("admin ban add " + string(h.player(moderatorKey, "").ID))
	h.succeeds("admin ban add 127.0.0.0/8 --for 1h --reason flood")
	for _, key := range []byte{adminKey, moderatorKey} {
		if _, complaint, status := h.as(newKey(t, key), "admin status"); status != 0 {
			t.Errorf("%d %s", status, complaint)
		}
	}
	for _, key := range []gossh.Signer{newKey(t, 2), nil} {
		h.refused(key, "your address is banned from this server until")
	}
}

func TestABanIsOfTheAddressBehindAProxy(t *testing.T) {
	h := startServer(t, withAdmins(t), behindProxy)
	h.succeeds("admin ban add 198.51.100.7 --for 1h")
	for address, status := range map[string]int{"198.51.100.7": 1, "198.51.100.8": 0} {
		conn := h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, address))
		if _, complaint, got := runOn(t, h.client(conn, login("ann", newKey(t, 1))), "version"); got != status {
			t.Errorf("%s: %d %s", address, got, complaint)
		}
	}
}
