package sshapp

import (
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
	h := startServer(t, withAdmins(t), func(o *options) { o.MaxSessions, o.MaxWaiting = 2, 1 })
	ann, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(ann, bob)
	h.succeeds("admin ban add " + string(h.player(3, "").ID))
	h.refused(newKey(t, 3), "banned from this server (reference") // takes no place on the full server
	id, banned := string(h.player(1, "").ID), h.accounts.Key(gossh.FingerprintSHA256(newKey(t, 1).PublicKey()))
	made := parse[admin.Ban](t,
		h.succeeds("admin ban add "+line(t, 1)+" --for 15s --reason 'spam \x1b[31m' --kick --json"))
	if !account.IsBanReference(made.Reference) || made.Key != banned ||
		made.By != string(h.player(moderatorKey, "").ID) ||
		made.Until.Sub(made.Since).Round(time.Second) != 15*time.Second {
		t.Fatalf("the ban is %+v", made)
	}
	want := fmt.Sprintf("you are banned from this server until %s UTC: spam [31m (reference %s)",
		made.Until.Format(time.DateTime), made.Reference)
	exit := (*gossh.ExitError)(nil)
	if err := ann.leaves(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("the session ended with %v", err)
	}
	testkit.Contains(t, strings.Join(strings.Fields(ann.sent()), " "), want)
	testkit.Equal(t, h.refused(newKey(t, 1), "spam"), "notakto: "+want+"\n")
	bob.isThere()
	eventually(t, "the end of the ban",
		func() bool { _, _, status := h.as(newKey(t, 1), "version"); return status == 0 })
	testkit.Equal(t, strings.Count(h.succeeds("admin ban list"), "\n"), 1)
	if n := h.rejections.Counts.Get(limit.Banned); n < 3 {
		t.Errorf("%d are counted", n)
	}
	book := h.log.String()
	for _, line := range []string{
		`reason=banned .*player=` + id, `session ended .*reason=banned status=1`,
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

// An administrator reads what a ban does before the players do.
func TestABanCountsTheSessionsThatItAppliesTo(t *testing.T) {
	h := startServer(t, withAdmins(t))
	id := string(h.player(1, "").ID)
	first, second := h.inLobby("ann", 1), h.inLobby("ann", 1)
	h.inLobby("bob", 2)
	for _, row := range [][2]string{
		{"127.0.0.9 --for 1h", "\nIt applies to no session of this server.\n"},
		{id, "\nIt applies to 2 sessions of this server: --kick would end them.\n"},
		{"127.0.0.1 --for 1h --json", `,"sessions":3}`}, // not the moderator
		{id + " --kick", "\nIt ended 2 sessions of this server.\n"},
	} {
		h.answers(moderatorKey, "admin ban add "+row[0], 0, row[1])
	}
	_, _ = first.leaves(), second.leaves()
}

func TestBansAreAddedListedCheckedAndRemoved(t *testing.T) {
	h := startServer(t, withAdmins(t))
	h.claims(1, "Ann")
	id, by := string(h.player(1, "").ID), string(h.player(moderatorKey, "").ID)
	fingerprint := gossh.FingerprintSHA256(newKey(t, 2).PublicKey())
	for _, c := range [][2]string{
		{"@ann", "account " + id + ` \(Ann\) for good`}, {id + " --for 1d12h", "account " + id + ` \(Ann\) until`},
		{fingerprint, "key [a-z2-7]{16} for good"}, {"192.0.2.7 --for 30d", `192\.0\.2\.7 until`},
		{"198.51.100.9/24 --for 1h", `198\.51\.100\.0/24 until`},
		{"2001:db8::7 --for 1h", "2001:db8::/64 until"}, {"2001:db8::7/128 --for 1h", "2001:db8::7 until"},
	} {
		want := regexp.MustCompile(`^Banned: B\d+  ` + c[1] + `.*, by ` + by + " on .*: no")
		if out := h.succeeds("admin ban add " + c[0]); !want.MatchString(out) {
			t.Errorf("%s: %s", c[0], out)
		}
	}
	all := parse[[]admin.Ban](t, h.succeeds("admin ban list --json"))
	testkit.Equal(t, len(all), 6)
	testkit.Equal(t, parse[admin.Status](t, h.succeeds("admin status --json")).Bans, 6)
	testkit.Equal(t, strings.Count(h.succeeds("admin ban list"), "\n"), 6)
	for x, n := range map[string]int{
		"@Ann": 1, fingerprint: 1, "192.0.2.7": 1, "192.0.2.8": 0, "198.51.100.200": 1, "2001:db8::8": 1,
		"2001:db8:1::7": 0, line(t, 1): 1, line(t, 3): 0,
	} {
		found := parse[[]admin.Ban](t, h.succeeds("admin ban check "+x+" --json"))
		testkit.Equal(t, len(found), n, x)
	}
	testkit.Equal(t, h.succeeds("admin ban check 192.0.2.8"), "192.0.2.8 is not banned.\n")
	h.answers(moderatorKey, "admin ban remove 198.51.100.7", 1, "198.51.100.7 is not banned itself: ban B")
	for _, x := range []string{"@ann", fingerprint, all[5].Reference, "192.0.2.7", "198.51.100.0/24", "2001:db8::/64"} {
		h.answers(moderatorKey, "admin ban remove "+x, 0, "Lifted: B")
	}
	testkit.Equal(t, h.succeeds("admin ban list")+h.succeeds("admin ban list --json"), "There are no bans.\n[]\n")
}

// All clients of a proxy would seem to be at its address if the proxy stopped naming them.
func TestWrongBansAreRefused(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) {
		o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("2001:db8::7/128")}
	})
	const proxy = "2 has a proxy of --proxy-from ("
	for line, want := range map[string]string{
		"add":   "2 add takes an account",
		"add x": "2 is none of these", "add @bob": `1 no account has claimed the name "bob"`,
		"add guest:x": "2 ban the address", "add 192.0.2.7": "2 must end", "add 192.0.2.7 --for 31d": "2 must end",
		"add 11.0.0.0/7 --for 1h": "2 is too large", "add 2001::/31 --for 1h": "2 is too large",
		"add @bob --for x": "2 such as 90s", "add 192.0.2.7 --for 0s": "2 such as 90s",
		"add 192.0.2.7 --for 1h --reason " + strings.Repeat("x", 201): "2 want 200 at most",
		"add 192.0.2.7%eth0 --for 1h":                                 "2 is none of these",
		"remove 192.0.2.7":                                            "1 192.0.2.7 is not banned",
		"remove B999":                                                 "1 there is no ban B999",
		"check":                                                       "2 ", "frobnicate": "2 ",
		"add 10.0.0.7 --for 1h": proxy, "add 10.0.0.0/16 --for 1h": proxy, "add 2001:db8::7 --for 1h": proxy,
		"add 2001:db8::/48 --for 1h": proxy,
	} {
		_, complaint, status := h.as(newKey(t, moderatorKey), "admin ban "+line)
		code, text, _ := strings.Cut(want, " ")
		if fmt.Sprint(status) != code || !strings.Contains(complaint, text) || strings.Count(complaint, "\n") != 1 {
			t.Errorf("%s: %d %s", line, status, complaint)
		}
	}
	testkit.Equal(t, len(h.accounts.Bans()), 0)
	h.succeeds("admin ban add 10.0.1.7 --for 1h")
	h.succeeds("admin ban add 2001:db8:0:1::7 --for 1h")
}

// The address is refused before the key exchange only if the server has no administrators' keys.
func TestABannedAddressIsRefusedBeforeTheLogin(t *testing.T) {
	h := startServer(t)
	operator := h.operator()
	_, complaint, status := runOn(t, operator, "admin ban add 127.0.0.2/32 --for 1h --reason flood")
	testkit.Equal(t, status, 0, complaint)
	from := func(address byte) error {
		conn := h.connectBy(&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, address)}})
		defer time.AfterFunc(testTimeout, func() { _ = conn.Close() }).Stop()
		_, _, _, err := gossh.NewClientConn(conn, "", login("ann", newKey(t, 1)))
		return err
	}
	testkit.Contains(t, fmt.Sprint(from(2)), `reason 1: "your address is banned from this `, ": flood (reference B")
	testkit.OK(t, from(3))
	eventually(t, "it is counted", func() bool { return h.rejections.Counts.Get(limit.Banned) == 1 })
	_, complaint, status = runOn(t, operator, "admin ban remove 127.0.0.2")
	testkit.Equal(t, status, 0, complaint)
	testkit.OK(t, from(2))
}
