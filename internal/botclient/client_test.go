package botclient

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
	"notakto/sshapp/bot/botproto"
)

func key(t *testing.T, n byte) ssh.Signer {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize)))
	testkit.OK(t, err)
	return signer
}

// serve runs the real server until the test ends and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	matches := manager.New(manager.Config{Seed: 7})
	server, err := sshapp.New(sshapp.Config{
		Settings: limit.DefaultSettings(), HostKey: key(t, 0), Manager: matches, Log: slog.New(slog.DiscardHandler),
	})
	testkit.OK(t, err)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	testkit.OK(t, err)
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
	testkit.OK(t, err)
	client, err := Login(t.Context(), conn, "ann", key)
	testkit.OK(t, err)
	c, err := Open(client, transcript)
	testkit.OK(t, err)
	t.Cleanup(c.Close)
	welcome, err := Expect[botproto.Welcome](c)
	testkit.OK(t, err)
	testkit.Equal(t, welcome.Player.Guest, key == nil)
	return c
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

// A player with a key, whose session has a transcript, plays against a guest.
func TestBotsPlay(t *testing.T) {
	address, transcript := serve(t), &record{}
	host, guest := open(t, address, key(t, 1), transcript), open(t, address, nil, nil)
	testkit.OK(t, host.Send(botproto.Request{Do: botproto.DoCreate, Variant: "notakto/1"}))
	table, err := Expect[botproto.Table](host)
	testkit.OK(t, err)
	testkit.OK(t, host.Send(botproto.Request{Do: botproto.DoSeek, Variant: "chess"}))
	_, err = Expect[botproto.Seeking](host)
	testkit.ErrorIs(t, err, ErrRefused)
	testkit.OK(t, guest.Send(botproto.Request{Do: botproto.DoJoin, Code: table.Code}))
	_, err = Expect[botproto.Match](guest)
	testkit.OK(t, err)
	testkit.OK(t, host.Send(botproto.Request{Do: botproto.DoResign, Match: table.Match}))
	for _, bot := range []*Client{host, guest} {
		event, err := bot.ExpectAny("move", "end")
		testkit.OK(t, err)
		testkit.Equal(t, event.Name(), "end")
	}
	stopped, stop := context.WithCancelCause(t.Context())
	stop(ErrTimeout)
	_, err = Await[botproto.Match](stopped, host)
	testkit.ErrorIs(t, err, ErrTimeout)
	host.Close()
	_, err = Expect[botproto.Pong](host)
	testkit.ErrorIs(t, err, ErrClosed)
	var got []string
	for _, line := range transcript.lines {
		line, _, _ = strings.Cut(line, ",")
		got = append(got, line)
	}
	testkit.Equal(t, strings.Join(got, "\n"), `opened
< {"event":"welcome"
> {"do":"create"
< {"event":"table"
> {"do":"seek"
< {"event":"error"
< {"event":"match"
> {"do":"resign"
< {"event":"end"
closed`)
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
