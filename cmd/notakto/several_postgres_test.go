//go:build postgres

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"notakto/hostkeys"
	"notakto/internal/botclient"
	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/cli"
)

// servers starts servers at once on an empty shared database.
type servers struct {
	*testing.T
	database string // a URL
	hostKey  string // a path
}

func newServers(t *testing.T) *servers {
	t.Helper()
	base := os.Getenv("NOTAKTO_POSTGRES")
	if base == "" {
		t.Fatal("NOTAKTO_POSTGRES is not set: run .ci/e2e/postgres.sh")
	}
	conn, err := pgx.Connect(t.Context(), base+"/postgres?sslmode=disable")
	testkit.OK(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	name := fmt.Sprintf("servers_%d_%s", os.Getpid(), strings.ToLower(t.Name()))
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = hostkeys.Load(dir)
	testkit.OK(t, err)
	return &servers{t, base + "/" + name + "?sslmode=disable", filepath.Join(dir, hostkeys.FileName)}
}

// node is a running server, with its name and its data directory.
type node struct {
	*server
	servers *servers
	name    string
	data    string
}

// launch starts a server with a new data directory and does not wait until it is ready.
func (c *servers) launch() *node {
	c.Helper()
	data := filepath.Join(shortDir(c.T), "data")
	return &node{servers: c, data: data, server: launch(c.T, nil, c.args(data)...)}
}

func (c *servers) args(data string) []string {
	return []string{
		"--listen=127.0.0.1:0", "--status-listen=127.0.0.1:0", "--data", data, "--database", c.database,
		"--host-key", c.hostKey, "--grace=30s",
	}
}

func (n *node) ready() *node {
	n.servers.Helper()
	ready := n.line(n.servers.T, "ready")
	n.address, n.statusAddress, n.name = ready["address"], ready["status"], ready["node"]
	return n
}

// admin runs a command of administrators through the control socket and expects success.
func (n *node) admin(words ...string) string {
	n.servers.Helper()
	out, complaint, status := run(n.servers.T, nil, append([]string{"admin", "--data", n.data}, words...)...)
	if status != cli.ExitOK {
		n.servers.Fatalf("admin %q exits with %d: %s", words, status, complaint)
	}
	return out
}

// person is a player with the bot protocol, able to come back at any server.
type person struct {
	*servers
	*visitor
	user   string
	number int // of the key, 0 for a guest
	bot    *botclient.Client
	id     match.PlayerID
}

// player connects a new player.
func (n *node) player(user string, number int) *person {
	n.servers.Helper()
	p := &person{servers: n.servers, user: user, number: number}
	p.connect(n)
	return p
}

// connect connects a player again and returns the matches in progress.
func (p *person) connect(n *node) []match.ID {
	p.Helper()
	if p.bot != nil {
		p.bot.Close()
	}
	p.visitor = logIn(p.T, n.server, p.user, p.number)
	bot, err := botclient.Open(p.Client, nil)
	testkit.OK(p, err)
	p.bot = bot
	welcome := expect[botproto.Welcome](p)
	p.id = welcome.Player.ID
	return welcome.Matches
}

func (p *person) send(do botproto.Verb, r botproto.Request) {
	p.Helper()
	r.Do = do
	testkit.OK(p, p.bot.Send(r))
}

// expect returns the player's next event of type E.
func expect[E botproto.Event](p *person) E {
	p.Helper()
	event, err := botclient.Expect[E](p.bot)
	if err != nil {
		p.Fatalf("%s waits for %T: %v", p.user, event, err)
	}
	return event
}

// meet has two players seek an opponent on terms, and returns their match. first has the first seat.
func meet(one, other *person, terms botproto.Request) (first, second *person, id match.ID) {
	one.Helper()
	one.send(botproto.DoSeek, terms)
	expect[botproto.Seeking](one)
	other.send(botproto.DoSeek, terms)
	return seated(one, other)
}

func seated(one, other *person) (first, second *person, id match.ID) {
	one.Helper()
	begun, again := expect[botproto.Match](one), expect[botproto.Match](other)
	if begun.Match != again.Match || begun.Seat != again.Seat.Other() {
		one.Fatalf("%s has %+v, %s %+v", one.user, begun, other.user, again)
	}
	if begun.Seat == rules.Second {
		one, other = other, one
	}
	return one, other, begun.Match
}

func (p *person) moves(id match.ID, move string, others ...*person) {
	p.Helper()
	p.send(botproto.DoMove, botproto.Request{Match: id, Move: move})
	for _, one := range append(others, p) {
		if seen := expect[botproto.Move](one); seen.Match != id || seen.Move != move {
			p.Fatalf("%s sees %+v, want %s", one.user, seen, move)
		}
	}
}

func (p *person) resigns(id match.ID, others ...*person) {
	p.Helper()
	p.send(botproto.DoResign, botproto.Request{Match: id})
	for _, one := range append(others, p) {
		if seen := expect[botproto.End](one); seen.Match != id || seen.Reason != "resign" {
			p.Fatalf("%s sees %+v", one.user, seen)
		}
	}
}

// resumed waits until a player has the seat in a match again.
func (p *person) resumed(id match.ID) botproto.Match {
	p.Helper()
	p.send(botproto.DoState, botproto.Request{Match: id})
	return expect[botproto.Match](p)
}

// Two servers start at one instant on an empty database. Players and operators see a single server.
func TestSeveralServersAreOne(t *testing.T) {
	t.Parallel()
	c := newServers(t)
	a, b := c.launch(), c.launch()
	a.ready()
	b.ready()
	ann, bob, eve := a.player("ann", 1), b.player("bob", 2), b.player("eve", 3)

	// A match from the queue with a spectator at the second server.
	terms := botproto.Request{Variant: "notakto/1", Clock: "3+2"}
	first, second, id := meet(ann, bob, terms)
	eve.send(botproto.DoWatch, botproto.Request{Match: id})
	if seen := expect[botproto.Match](eve); seen.Match != id || seen.Seat != rules.NoSide {
		t.Fatalf("a spectator sees %+v", seen)
	}
	first.moves(id, "A5", second, eve)
	second.resigns(id, first, eve)

	// A guest joins with a code at server b, and comes back at server a with the code of the seat.
	guest := b.player("guy", 0)
	ann.send(botproto.DoCreate, botproto.Request{Variant: "notakto/2"})
	table := expect[botproto.Table](ann)
	guest.send(botproto.DoJoin, botproto.Request{Code: table.Code})
	seat := expect[botproto.Match](guest)
	expect[botproto.Match](ann)
	guest.connect(a)
	guest.send(botproto.DoJoin, botproto.Request{Code: seat.Code})
	if again := expect[botproto.Match](guest); again.Match != table.Match || again.Seat != seat.Seat {
		t.Errorf("a guest comes back to %+v, from %+v", again, seat)
	}
	ann.resigns(table.Match, guest)

	testkit.Contains(t, ann.says(t, "name ann"), "is yours")
	testkit.Contains(t, bob.says(t, "name ann"), "another player has claimed")

	// The ratings of a rated pair are equal at both servers as soon as the pair is over.
	first, second, id = meet(ann, bob, botproto.Request{Rated: true})
	first.resigns(id, second)
	first, second, id = seated(first, second)
	second.resigns(id, first)
	for _, words := range []string{"profile", "profile ann", "history", "ladder --bots", "me export"} {
		here := ann.says(t, words)
		there := b.player("ann", 1).says(t, words)
		if here != there || here == "" {
			t.Errorf("%s differs: %s%s", words, here, there)
		}
	}
	testkit.Contains(t, bob.says(t, "profile ann"), "1 of 8 pairs")

	// The operator.
	a.admin("say", "hello")
	for _, p := range []*person{ann, bob, eve} {
		if told := expect[botproto.Notice](p); !strings.Contains(told.Message, "hello") {
			t.Errorf("%s reads %+v", p.user, told)
		}
	}
	a.admin("ban", "add", string(bob.id), "--kick")
	for range bob.bot.Events() { // to the end of the session
	}
	for _, n := range []*node{a, b} {
		testkit.Contains(t, logIn(t, n.server, "bob", 2).says(t, "version"), "banned")
	}
	var all []struct {
		Up      bool
		HostKey string `json:"host_key"`
	}
	testkit.OK(t, json.Unmarshal([]byte(a.admin("servers", "--json")), &all))
	if len(all) != 2 || !all[0].Up || !all[1].Up || all[0].HostKey != all[1].HostKey {
		t.Errorf("the servers are %+v", all)
	}
	b.admin("maintenance", "on", "--in", "1h")
	if out := a.admin("maintenance", "status"); !strings.HasPrefix(out, "Maintenance begins at ") {
		t.Errorf("the other server says %s", out)
	}
	refused(t, cli.ExitFailure, nil, c.args(a.data), "another process uses this directory", "a directory of its own")
	a.admin("status")
}

// One server is killed, a second is drained, and a third takes over. The match goes on, and neither player's clock
// pays for that.
func TestAMatchOutlivesItsServers(t *testing.T) {
	t.Parallel()
	c := newServers(t)
	a := c.launch().ready()
	b := c.launch().ready()
	ann, bob := a.player("ann", 1), b.player("bob", 2)
	first, second, id := meet(ann, bob, botproto.Request{Variant: "notakto/3", Clock: "3+0"})
	for _, move := range []string{"A5", "B5"} { // the clock begins with the third move
		first.moves(id, move, second)
		first, second = second, first
	}
	if first != ann { // the turn of a player at the killed server uses up that player's clock
		first.moves(id, "C5", second)
	}

	killed := time.Now()
	testkit.OK(t, a.process.Stop(syscall.SIGKILL))
	for seen := true; seen; {
		gone, err := botclient.Await[botproto.Presence](t.Context(), bob.bot) // presence takes longer than other events
		testkit.OK(t, err)
		seen = gone.Present
	}
	lost := time.Since(killed)
	if matches := ann.connect(b); len(matches) != 1 || matches[0] != id {
		t.Fatalf("at the other server, the matches are %v", matches)
	}
	back := ann.resumed(id)
	if spent := 180*time.Second - time.Duration(back.Clocks[back.Seat-1])*time.Millisecond; spent > lost/2 {
		t.Errorf("of %v without a server, %v are on the clock", lost, spent)
	}
	ann.moves(id, "C1", bob)

	// A drained server lets the match go on, and stops when its last player has moved to another server.
	d := c.launch().ready()
	bob.connect(d)
	bob.resumed(id)
	d.admin("drain", "--node", b.name, "--within", "40s")
	for !strings.Contains(expect[botproto.Notice](ann).Message, "stops when the matches in progress end") {
	}
	bob.moves(id, "C9", ann)
	bob.send(botproto.DoSeek, botproto.Request{Variant: "notakto/5"}) // the new server still begins matches
	expect[botproto.Seeking](bob)
	bob.send(botproto.DoCancel, botproto.Request{})
	ann.connect(d)
	ann.resumed(id)
	b.stopped(t, time.Minute)
	ann.moves(id, "A1", bob)

	// The only server stops with both players, and a new one resumes the match.
	d.signal(t, syscall.SIGTERM)
	d.stopped(t, 5*time.Second)
	e := c.launch().ready()
	ann.connect(e)
	bob.connect(e)
	if seen := ann.resumed(id); len(seen.Moves) < 5 || seen.Turn != bob.resumed(id).Seat {
		t.Errorf("after all servers have stopped, the match is %+v", seen)
	}
	bob.moves(id, "A9", ann)
	ann.resigns(id, bob)
	out, complaint, status := run(t, nil, "check", "--database", c.database)
	testkit.Equal(t, status, cli.ExitOK, out, complaint)
}
