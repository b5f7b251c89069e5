package sshapp

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

// The session is in the middle of a match. Its terminal is restored, its player reads the reason and keeps the seat,
// and other sessions go on.
func TestAnAdministratorEndsASession(t *testing.T) {
	h := startServer(t, withAdmins(t))
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	bot, lines := h.bot("rob", 3), newTalk(t, h.dial("paul", newKey(t, 4)), "plain")
	lines.expects()
	look := h.onlyMatch()
	first := (<-look.Snapshots()).Seat(rules.First).Player
	mover, moverKey, other := alice, byte(1), bob
	if first.Name == "bob" {
		mover, moverKey, other = bob, 2, alice
	}
	id := ""
	for _, s := range (adminServer{h.Server, nil}).Sessions() {
		if s.Account == first.ID {
			id = s.ID
		}
	}
	moderator := newKey(t, moderatorKey)
	out, complaint, status := h.as(moderator, "admin kick "+id+" --reason 'test\x1b[31m' --json")
	if status != 0 || out != `{"sessions":1,"others":false}`+"\n" {
		t.Fatalf("%d: %s%s", status, out, complaint)
	}
	exit := (*gossh.ExitError)(nil)
	if err := mover.leaves(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("the session ends with %v", err)
	}
	mover.restored()
	mover.sees("an administrator has disconnected you: test[31m.")
	other.sees(first.Name + " is away")
	back := h.sit(first.Name, newKey(t, moverKey))
	back.sees("Match in progress")
	testkit.Equal(t, h.Stats.FrontEnds[frontEndScreen].Ends.Get(endKicked), 1)
	testkit.Contains(t, h.log.String(), "reason=kicked status=1", "command=kick object="+id+` reason="test`)

	// A bot and the line-by-line game are sessions of one account.
	out, complaint, status = h.as(moderator, "admin kick "+string(h.player(3, "rob").ID))
	if status != 0 || out != "1 session ended.\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	testkit.Equal(t, bot.expects(), `{"event":"notice","message":"an administrator has disconnected you"}`)
	if _, complaint, status = h.as(moderator, "admin kick @paul --reason why"); status != 0 {
		t.Errorf("%d: %s", status, complaint)
	}
	for line := range lines.said {
		if complaint = line; strings.Contains(line, "disconnected you: why.") {
			break
		}
	}
	testkit.Contains(t, complaint, "disconnected you: why.")
}

// The command must name one player, and a moderator cannot end the session of an administrator.
func TestASessionThatCannotBeEnded(t *testing.T) {
	h := startServer(t, withAdmins(t))
	for _, key := range []gossh.Signer{newKey(t, 1), newKey(t, 2), newKey(t, adminKey)} {
		newPerson(t, h.dial("sam", key), "xterm", 80, 24).sees("Play someone")
	}
	for line, want := range map[string]string{
		"kick @sam": "several players are called @sam: give the account of one, which admin who shows",
		"kick @tom": "there is no such session",
		"kick 99.1": "there is no such session",
		"kick xyz":  "there is no such session",
		"kick " + string(h.player(adminKey, "x").ID): "there is no such session",
	} {
		if _, complaint, status := h.as(newKey(t, moderatorKey), "admin "+line); status != 1 ||
			!strings.Contains(complaint, want) {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
	long := strings.Repeat("x", 201)
	for _, line := range []string{"kick", "kick ''", "kick 1.1 2.1", "kick 1.1 --reason " + long} {
		if _, complaint, status := h.as(newKey(t, moderatorKey), "admin "+line); status != 2 {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
	// The session that gives the order goes on to its end.
	out, complaint, status := h.as(newKey(t, adminKey), "admin kick "+string(h.player(adminKey, "x").ID))
	if status != 0 || out != "1 session ended.\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
}

func TestOrdersReachAllServers(t *testing.T) {
	registry := new(match.Memory)
	share := func(o *options) { o.registry = registry }
	here, there := startServer(t, withAdmins(t), share), startServer(t, share)
	person := there.sit("ann", newKey(t, 1))
	person.sees("Play someone")
	id := string(there.player(1, "ann").ID)
	out, complaint, status := here.as(newKey(t, adminKey), "admin kick "+id+" --reason far")
	if status != 0 || out != "0 sessions ended here; the other servers were told.\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	_ = person.leaves()
	person.sees("disconnected you: far")
	if _, complaint, status := here.as(newKey(t, adminKey), "admin kick 1.1"); status != 1 {
		t.Errorf("a session of the other server: %d: %s", status, complaint)
	}
}

// Every front end shows the text within a second, without its control characters.
func TestAnAdministratorTellsThePlayers(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) { o.MaxSessions, o.MaxWaiting = 3, 1 })
	screen, bot := h.sit("ann", newKey(t, 1)), h.bot("rob", 3)
	screen.sees("Play someone")
	lines := newTalk(t, h.dial("paul", newKey(t, 4)), "plain")
	lines.expects()
	line := newPerson(t, h.dial("lin", newKey(t, 5)), "xterm", 80, 24)
	line.sees("You are number 1 in line")
	began := time.Now()
	out, complaint, status := h.as(newKey(t, adminKey), "admin say 'hello\x1b[31m\u202e' there")
	if status != 0 || out != "4 sessions told.\n" {
		t.Fatalf("%d: %s%s", status, out, complaint)
	}
	const want = "Operator: hello[31m there"
	screen.sees(want)
	line.sees(want)
	testkit.Equal(t, bot.expects(), `{"event":"notice","message":"`+want+`"}`)
	for got := ""; got != want; got = lines.expects() { // or the wait fails
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("that took %v", took)
	}

	out, _, status = h.as(newKey(t, moderatorKey), "admin say --to @rob --json only you")
	if got := bot.expects(); status != 0 || out != `{"sessions":1,"others":false}`+"\n" ||
		!strings.Contains(got, "Operator: only you") {
		t.Errorf("%d: %s; the bot is told %s", status, out, got)
	}
	id := bot.says(`{"do":"computer","level":"club","seat":1}`, "match").Match
	if out, complaint, status := h.as(newKey(t, adminKey), "admin say --to "+id+" to the match"); status != 0 ||
		out != "1 session told.\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	testkit.Contains(t, bot.expects(), "Operator: to the match")
	for line, want := range map[string]int{
		"say": 2, "say ''": 2, "say '\x1b'": 2, "say " + strings.Repeat("x", 201): 2, "say --to xyz hello": 1,
	} {
		if _, complaint, status := h.as(newKey(t, adminKey), "admin "+line); status != want {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
}

// A client sends the words of a command without the quotes around them.
func TestTextsNeedNoQuotes(t *testing.T) {
	h := startServer(t, withAdmins(t))
	person := h.sit("Big Bob", newKey(t, 1))
	person.sees("Play someone")
	for _, row := range []struct{ line, want string }{
		{"maintenance on --message Back at noon. --in 1h", `"message":"Back at noon."`},
		{"ban add 192.0.2.9 --for 1h --reason floods the lobby", `"reason":"floods the lobby"`},
		{"kick " + string(h.player(1, "x").ID) + " --reason spam in the lobby", `"sessions":1`},
	} {
		out, complaint, status := h.as(newKey(t, adminKey), "admin "+row.line+" --json")
		if status != 0 || !strings.Contains(out, row.want) {
			t.Errorf("%s: %d: %s%s", row.line, status, out, complaint)
		}
	}
	_ = person.leaves()
	person.sees("disconnected you: spam in the lobby.")
	testkit.Contains(t, h.log.String(),
		`command=kick object=`+string(h.player(1, "x").ID)+` reason="spam in the lobby"`,
		`command="maintenance on" object="Back at noon."`)
	for _, line := range []string{"maintenance on now", "match end x y", "kick a b"} {
		if _, complaint, status := h.as(newKey(t, adminKey), "admin "+line); status != 2 {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
}

// The registry still has the order that drained the server before its restart.
func TestAnOrderFromBeforeTheStart(t *testing.T) {
	config, done := Config{Registry: match.NewMemory(), Log: slog.New(slog.DiscardHandler)}, 0
	giver := newOrders(config, func(order) (int, error) { return 0, nil })
	defer giver.stop()
	if _, err := giver.issue(t.Context(), order{Kind: orderDrain, Node: "b"}); err != nil {
		t.Fatal(err)
	}
	restarted := newOrders(config, func(order) (int, error) { done++; return 0, nil })
	defer restarted.stop()
	testkit.Equal(t, done, 0)
	if _, err := giver.issue(t.Context(), order{Kind: orderDrain, Node: "b"}); err != nil || done != 1 {
		t.Errorf("a new order is carried out %d times: %v", done, err)
	}
}
