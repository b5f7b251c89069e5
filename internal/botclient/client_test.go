package botclient

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp"
	"notakto/sshapp/bot/botproto"
)

func key(t *testing.T, n byte) ssh.Signer {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// serve runs the real server until the test ends and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	matches := manager.New(manager.Config{Seed: 7})
	server, err := sshapp.New(sshapp.Config{
		Settings: limit.DefaultSettings(), HostKey: key(t, 0), Manager: matches, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
		matches.Close()
	})
	return listener.Addr().String()
}

func open(t *testing.T, address string, key ssh.Signer, transcript Transcript) *Client {
	t.Helper()
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	client, err := Login(t.Context(), conn, "ann", key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(client, transcript)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if welcome := expect[botproto.Welcome](t, c); welcome.Player.Guest != (key == nil) {
		t.Errorf("the welcome is %+v", welcome)
	}
	return c
}

func expect[E botproto.Event](t *testing.T, c *Client) E {
	t.Helper()
	event, err := Expect[E](c)
	if err != nil {
		t.Fatalf("no %s event: %v", event.Name(), err)
	}
	return event
}

func send(t *testing.T, c *Client, r botproto.Request) {
	t.Helper()
	if err := c.Send(r); err != nil {
		t.Fatal(err)
	}
}

// record keeps a transcript as lines of text.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

func (r *record) Opened()              { r.add("opened") }
func (r *record) Sent(line []byte)     { r.add("> " + string(line)) }
func (r *record) Received(line []byte) { r.add("< " + string(line)) }
func (r *record) Closed(error, []byte) { r.add("closed") }

func (r *record) has(prefix string) bool {
	return slices.ContainsFunc(r.lines, func(line string) bool { return strings.HasPrefix(line, prefix) })
}

// A player with a key, whose session has a transcript, plays against a guest.
func TestBotsPlay(t *testing.T) {
	address, transcript := serve(t), &record{}
	host, guest := open(t, address, key(t, 1), transcript), open(t, address, nil, nil)
	send(t, host, botproto.Request{Do: botproto.DoCreate, Variant: "notakto/1"})
	table := expect[botproto.Table](t, host)
	send(t, guest, botproto.Request{Do: botproto.DoJoin, Code: table.Code})
	started := expect[botproto.Match](t, guest)
	if !started.HasStarted() || started.Match != table.Match || !started.Seat.IsValid() || started.Code == "" {
		t.Errorf("the match is %+v", started)
	}
	players := [2]*Client{host, guest}
	if started.Seat == rules.First {
		players = [2]*Client{guest, host}
	}
	send(t, players[0], botproto.Request{Do: botproto.DoMove, Match: table.Match, Move: "5"})
	for i, c := range players {
		if move := expect[botproto.Move](t, c); move.Ply != 1 || move.Seat != rules.First || move.Turn != rules.Second {
			t.Errorf("player %d receives %+v", i, move)
		}
	}
	send(t, host, botproto.Request{Do: botproto.DoResign, Match: table.Match})
	if end := expect[botproto.End](t, guest); end.Winner != started.Seat || end.Reason != "resign" {
		t.Errorf("the end is %+v", end)
	}
	_ = expect[botproto.End](t, host)
	host.Close()
	if _, err := Expect[botproto.Pong](host); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end comes %v", err)
	}
	lines := transcript.lines
	if lines[0] != "opened" || !strings.HasPrefix(lines[1], `< {"event":"welcome"`) || lines[len(lines)-1] != "closed" ||
		!transcript.has(`> {"do":"create","variant":"notakto/1"}`) || !transcript.has(`< {"event":"end"`) {
		t.Errorf("the transcript is\n%s", strings.Join(lines, "\n"))
	}
}

func TestErrorEventsAreErrorsAndCounted(t *testing.T) {
	c := open(t, serve(t), key(t, 1), nil)
	send(t, c, botproto.Request{Do: botproto.DoSeek, Variant: "chess"})
	var refused *RefusedError
	if _, err := Expect[botproto.Seeking](c); !errors.As(err, &refused) ||
		refused.Event.Code != botproto.CodeBadVariant {
		t.Errorf("a seek of an unknown variant: %v", err)
	}
	send(t, c, botproto.Ping(0)) // Count(7) counts the answer
	send(t, c, botproto.Request{Do: botproto.DoState, Match: "nonesuch"})
	send(t, c, botproto.Request{Do: "nonsense"})
	send(t, c, botproto.Ping(7))
	got, err := c.Count(7)
	if err != nil || len(got) != 3 || got["pong"] != 1 || got["error no_such_match"] != 1 ||
		got["error unknown_do"] != 1 {
		t.Errorf("counted %v (%v)", got, err)
	}
	stopped, stop := context.WithCancelCause(t.Context())
	stop(ErrTimeout)
	if _, err := Await[botproto.Match](stopped, c); !errors.Is(err, ErrTimeout) {
		t.Errorf("a wait that is over: %v", err)
	}
}

func TestLoginEndsWithItsContext(t *testing.T) {
	near, far := net.Pipe()
	defer func() { _ = far.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Login(ctx, near, "ann", nil); err == nil {
		t.Error("logged in without a server")
	}
}
