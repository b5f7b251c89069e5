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
	// A client sends the words of a command without the quotes around them.
	kick := "admin kick " + id + " --reason spam in\x1b[31m the lobby --json"
	testkit.Equal(t, h.succeeds(kick), `{"sessions":1,"others":false}`+"\n")
	exit := (*gossh.ExitError)(nil)
	if err := mover.leaves(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("the session ends with %v", err)
	}
	mover.restored()
	mover.sees("an administrator has disconnected you: spam in[31m the")
	other.sees(first.Name + " is away")
	h.sit(first.Name, newKey(t, moverKey)).sees("Match in progress")
	testkit.Equal(t, h.Stats.FrontEnds[frontEndScreen].Ends.Get(endKicked), 1)
	testkit.Contains(t, h.log.String(), "reason=kicked status=1", "command=kick object="+id+` reason="spam in`)

	// A bot and the line-by-line game are sessions of one account.
	testkit.Equal(t, h.succeeds("admin kick "+string(h.player(3, "rob").ID)), "1 session ended.\n")
	testkit.Equal(t, bot.expects(), `{"event":"notice","message":"an administrator has disconnected you"}`)
	h.succeeds("admin kick @paul --reason why")
	said := ""
	for line := range lines.said {
		said += line
	}
	testkit.Contains(t, said, "disconnected you: why.")

	// The command must name one player, and a moderator cannot end the session of an administrator.
	for _, key := range []gossh.Signer{newKey(t, 5), newKey(t, 6), newKey(t, adminKey)} {
		h.sit("sam", key).sees("Play someone")
	}
	administrator := string(h.player(adminKey, "x").ID)
	for line, want := range map[string]string{
		"@sam":        "1 several players are called @sam: give the account of one, which admin who shows",
		"@tom":        "1 there is no such session",
		administrator: "1 there is no such session", "''": "2", "1.1 2.1": "2",
		"1.1 --reason " + strings.Repeat("x", 201): "2",
	} {
		h.answers(moderatorKey, "admin kick "+line, int(want[0]-'0'), want[1:])
	}
	// The session that gives the order goes on to its end.
	testkit.Equal(t, h.answers(adminKey, "admin kick "+administrator, 0), "1 session ended.\n")
}

// An administrator may give an order at any server. Maintenance applies to all servers that share a database, and a
// drain to the server that it names.
func TestOrdersReachAllServers(t *testing.T) {
	registry := match.NewMemory()
	at := func(name string) func(*options) {
		return func(o *options) {
			o.registry, o.node, o.Journal, o.Node = registry, name, registry, match.Node(name)
		}
	}
	here, there := startServer(t, withAdmins(t), at("a")), startServer(t, at("b"))
	here.leavesAfter(time.Hour)
	there.leavesAfter(time.Hour)
	eventually(t, "both servers are up", func() bool { return len(here.manager.Servers()) == 2 })
	ann := there.inLobby("ann", 1)
	here.answers(adminKey, "admin kick "+string(there.player(1, "ann").ID)+" --reason far", 0,
		"0 sessions ended here; the other servers were told.\n")
	_ = ann.leaves()
	ann.sees("disconnected you: far")
	here.answers(adminKey, "admin kick 1.1", 1) // a session of the other server

	here.answers(adminKey, "admin maintenance on --in 1ns", 0)
	testkit.ErrorIs(t, here.manager.Ready(), match.ErrDraining)
	testkit.ErrorIs(t, there.manager.Ready(), match.ErrDraining)
	here.answers(adminKey, "admin maintenance off", 0)
	testkit.OK(t, errors.Join(here.manager.Ready(), there.manager.Ready()))

	here.sit("bob", newKey(t, 2)).sees("Play someone") // otherwise a drain is over at once
	there.inLobby("ben", 3)
	here.answers(adminKey, "admin drain --node b", 0, "b was told.\n")
	if here.schedule.drainStatus().Draining || !there.schedule.drainStatus().Draining {
		t.Error("it is not b alone that drains")
	}
	here.answers(adminKey, "admin drain --node b cancel --json", 0, `{"sessions":0,"others":true}`)
	testkit.Equal(t, there.schedule.drainStatus().Draining, false)
	here.answers(adminKey, "admin drain --node a --within 1h --json", 0, `"node":"a"`)
	here.answers(adminKey, "admin drain --node a cancel", 0, "not draining")
	here.answers(adminKey, "admin drain --node b status", 2, "give the command to that server")
	here.answers(adminKey, "admin drain --node c", 1, `there is no server "c"`)
	startServer(t, withAdmins(t)).answers(adminKey, "admin drain --node b", 1, `there is no server "b"`)
}

// Every front end shows the text within a second, without its control characters.
func TestAnAdministratorTellsThePlayers(t *testing.T) {
	h := startServer(t, withAdmins(t), func(o *options) { o.MaxSessions, o.MaxWaiting = 3, 1 })
	screen, bot := h.sit("ann", newKey(t, 1)), h.bot("rob", 3)
	screen.sees("Play someone")
	lines := newTalk(t, h.dial("paul", newKey(t, 4)), "plain")
	lines.expects()
	waiting := h.sit("lin", newKey(t, 5))
	waiting.sees("You are number 1 in line")
	began := time.Now()
	testkit.Equal(t, h.answers(adminKey, "admin say 'hello\x1b[31m\u202e' there", 0), "4 sessions told.\n")
	const want = "Operator: hello[31m there"
	screen.sees(want)
	waiting.sees(want)
	testkit.Equal(t, bot.expects(), `{"event":"notice","message":"`+want+`"}`)
	for got := ""; got != want; got = lines.expects() { // or the wait fails
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("that took %v", took)
	}
	h.answers(moderatorKey, "admin say --to @rob --json only you", 0, `{"sessions":1,"others":false}`+"\n")
	testkit.Contains(t, bot.expects(), "Operator: only you")
	id := bot.says(`{"do":"computer","level":"club","seat":1}`, "match").Match
	h.answers(adminKey, "admin say --to "+id+" to the match", 0, "1 session told.\n")
	testkit.Contains(t, bot.expects(), "Operator: to the match")
	for line, want := range map[string]int{
		"say": 2, "say ''": 2, "say '\x1b'": 2, "say " + strings.Repeat("x", 201): 2, "say --to xyz hello": 1,
	} {
		h.answers(adminKey, "admin "+line, want)
	}
}

// The registry still has the order that drained the server before its restart.
func TestAnOrderFromBeforeTheStart(t *testing.T) {
	config, done := Config{Registry: match.NewMemory(), Log: slog.New(slog.DiscardHandler)}, 0
	giver := newOrders(config, func(order) (int, error) { return 0, nil })
	defer giver.stop()
	drain := func() {
		_, err := giver.issue(t.Context(), order{Kind: orderDrain, Node: "b"})
		testkit.OK(t, err)
	}
	drain()
	restarted := newOrders(config, func(order) (int, error) { done++; return 0, nil })
	defer restarted.stop()
	testkit.Equal(t, done, 0)
	drain()
	testkit.Equal(t, done, 1, "a new order")
}
