//go:build attack

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/wire"
)

func channelAttacks() []attack {
	return []attack{
		{name: "channels", memory: 1, run: (*enemy).channels, holds: "8 channels at once, then the connection is closed"},
		{name: "global", memory: 12, run: (*enemy).globals,
			holds: "who asks the connection without end is closed, or costs next to nothing"},
		{name: "packets", memory: 12, run: (*enemy).packets, holds: "wrong packets are ignored or end the connection"},
		{name: "dead-ends", memory: 12, run: (*enemy).deadEnds,
			holds: "what comes behind a wrong packet is forgotten with it"},
	}
}

// channels opens 10,000 channels on one connection, of one kind and of three.
func (e *enemy) channels() error {
	for k, kinds := range [][]string{
		{"session"}, {"direct-tcpip", "x11", "auth-agent@openssh.com"}, {"session", "forwarded-tcpip", "x11"},
	} {
		conn, err := e.inside(k)
		if err != nil {
			return err
		}
		opened := make(chan int, 1)
		go func() { opened <- countOpened(conn) }()
		sent := 0
		for ; sent < 10_000 && err == nil; sent++ {
			err = conn.Send(wire.Open(kinds[sent%len(kinds)], uint32(sent), 1<<20))
		}
		if err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		}
		n := <-opened
		e.figure("%s: %d of %d opened", strings.Join(kinds, "+"), n, sent)
		if n > 8 || n > 0 && !slices.Contains(kinds, "session") {
			e.fault("%d channels were opened at once", n)
		}
		if !closed(conn, 2*time.Second) {
			e.fault("%s: still open after %d", strings.Join(kinds, "+"), sent)
		}
		_ = conn.Close()
	}
	return nil
}

// countOpened reads until the connection ends, and counts confirmations.
func countOpened(conn *wire.Conn) (n int) {
	for {
		packet, err := conn.Next()
		if err != nil {
			return n
		}
		if packet[0] == 91 {
			n++
		}
	}
}

// cheap is the limit for answering one packet: a hundredth of what a key press costs otherwise.
const cheap = 50 * time.Microsecond

// globals sends global requests, with and without an answer, and other messages that are answered.
func (e *enemy) globals() error {
	request := func(name string, answer bool) []byte {
		return ssh.Marshal(struct {
			Name   string `sshtype:"80"`
			Answer bool
		}{name, answer})
	}
	floods := map[string][]byte{
		"tcpip-forward": request("tcpip-forward", true),
		"keepalive":     request("keepalive@openssh.com", false),
		"ping": ssh.Marshal(struct {
			Text string `sshtype:"192"`
		}{strings.Repeat("x", 1000)}),
		"nonsense":    request(strings.Repeat("x", 200<<10), false),
		"unknown":     {199},
		"login again": wire.Query("alice", "ssh-ed25519", key(1).PublicKey().Marshal()),
	}
	k := 0
	for name, packet := range floods {
		conn, err := e.inside(k)
		if err != nil {
			return err
		}
		gone := make(chan int, 1)
		go func() { gone <- countOpened(conn) }()
		sent := 0
		// it may be slowed down for much longer
		_ = conn.SetWriteDeadline(time.Now().Add(time.Duration(e.pick(1, 5)) * time.Second))
		spent := e.spent(func() {
			for ; sent < 10_000 && err == nil; sent++ {
				err = conn.Send(packet)
			}
			_ = conn.SetReadDeadline(time.Now().Add(time.Second / 2))
			<-gone
		})
		if each := spent / time.Duration(sent); err == nil && each > cheap {
			e.fault("%s: still open after %d, %v of processor time each", name, sent, each)
		}
		e.figure("%s %d", name, sent)
		_ = conn.Close()
		k++
	}
	return nil
}

func requestAttacks() []attack {
	return []attack{
		{name: "env", memory: 1, run: (*enemy).environments, holds: "no variable is kept that the server does not use"},
		{name: "requests", memory: 12, run: (*enemy).requests,
			holds: "every request is answered, in whatever order, and nothing is left"},
	}
}

// environments sends variables that are too many, too long, or too late.
func (e *enemy) environments() error {
	floods := []struct {
		name   string
		n      int
		length int
		late   bool
	}{{"long", e.pick(300, 2000), 200 << 10, false}, {"many", 10_000, 16, false}, {"late", 10_000, 16, true}}
	for k, flood := range floods {
		client, shell, err := e.unasked(k)
		if err != nil {
			return err
		}
		go discard(shell)
		if flood.late {
			enterGame(shell, 80, 24)
		}
		sent := 0
		for ; sent < flood.n && err == nil; sent++ {
			name := []string{"LANG", "LC_ALL", fmt.Sprint("X", sent)}[sent%3]
			_, err = shell.SendRequest("env", false,
				ssh.Marshal(struct{ Name, Value string }{name, strings.Repeat("x", flood.length)}))
		}
		if !ended(client, 2*time.Second) {
			e.fault("%s: still open after %d", flood.name, sent)
		}
		e.figure("%s: %d sent", flood.name, sent)
		_ = client.Close()
	}
	return nil
}

// kinds returns the requests of RFC 4254 and of OpenSSH, and two unknown ones.
func kinds() [][2]string {
	word := func(text string) string { return string(ssh.Marshal(struct{ Text string }{text})) }
	return [][2]string{
		{"pty-req", string(wire.Terminal("", 80, 24))},
		{"shell", ""},
		{"exec", word("version")},
		{"window-change", string(wire.Size(90, 30))},
		{"env", word("LANG") + word("C")},
		{"subsystem", word("sftp")},
		{"auth-agent-req@openssh.com", ""},
		{"signal", word("KILL")},
		{"x11-req", "\x00" + word("MIT") + word("00") + "\x00\x00\x00\x00"},
		{"eow@openssh.com", ""},
		{"xon-xoff", "\x01"},
		{"break", "\x00\x00\x00\xff"},
		{"exit-status", "\x00\x00\x00\x00"},
		{"exec", "\xff\xff\xff\xff"},
		{"pty-req", "\x00"},
		{"window-change", "\x01\x02\x03"},
		{strings.Repeat("x", 1<<10), ""},
		{"", ""},
	}
}

// requests makes requests in every order, each order on a new channel: in the short run any two and three of the first
// eight, in the long one any three and four of the first eight.
func (e *enemy) requests() error {
	all := kinds()
	some := e.pick(2, 3)
	orders := append(orders(len(all), some), distinct(8, some+1)...)
	const perClient = 40
	e.many((len(orders)+perClient-1)/perClient, 8, func(i int) {
		client, err := e.polite(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = client.Close() }()
		for _, order := range orders[i*perClient : min(len(orders), (i+1)*perClient)] {
			if err := ask(client, all, order); err != nil {
				e.fault("%v: %v", order, err)
				return
			}
		}
	})
	e.figure("%d orders of %d requests", len(orders), len(all))
	return nil
}

// anotherChannel opens a channel, with retries: the server may not have processed yet that the others are closed.
func anotherChannel(client *ssh.Client) (ssh.Channel, error) {
	for late := time.Now().Add(answerWithin); ; <-time.After(pollEvery) {
		channel, err := botclient.OpenChannel(client)
		var refused *ssh.OpenChannelError
		if !errors.As(err, &refused) || refused.Reason != ssh.ResourceShortage || time.Now().After(late) {
			return channel, err
		}
	}
}

const answerWithin = 5 * time.Second

var errUnanswered = errors.New("a request was not answered")

// ask makes requests on a new channel. A channel that the server closes during that is no fault: the session had
// started and ended.
func ask(client *ssh.Client, all [][2]string, order []int) error {
	shell, err := anotherChannel(client)
	if err != nil {
		return err
	}
	defer func() { _ = shell.Close() }()
	go discard(shell)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		for _, k := range order {
			if _, err := shell.SendRequest(all[k][0], true, []byte(all[k][1])); err != nil {
				return
			}
		}
	}()
	select {
	case <-answered:
		return nil
	case <-time.After(answerWithin):
		return errUnanswered
	}
}

// openScreen opens a screen and reads its first output, which must not contain a mark.
func (e *enemy) openScreen(n int, term, command string) error {
	client, err := e.polite(n)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	shell, err := botclient.Start(client, term, command)
	if err != nil {
		return err
	}
	text := firstScreen(e, shell)
	for _, mark := range marks() {
		if strings.Contains(text, mark) {
			e.fault("%q is sent to a screen", mark)
		}
	}
	if text == "" {
		e.fault("nothing is shown on %.40q", term)
	}
	return nil
}

// firstScreen returns the output until there is none for a moment.
func firstScreen(ctx context.Context, shell ssh.Channel) string {
	const moment = 200 * time.Millisecond
	var text strings.Builder
	quiet := time.AfterFunc(5*time.Second, func() { _ = shell.Close() })
	defer quiet.Stop()
	defer context.AfterFunc(ctx, func() { _ = shell.Close() })()
	for buffer := make([]byte, 32<<10); ; {
		n, err := shell.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return text.String()
		}
		quiet.Reset(moment)
	}
}

// terminals requests terminals with invalid names.
func (e *enemy) terminals() error {
	all := append([]string{
		"x", "dumb", "unknown-terminal", strings.Repeat("x", 200<<10), strings.Repeat("\x1b[", 1000), "xterm\x1b[2J",
		"../../x", "%s", "vt52", "xterm\n", "\xff",
	}, marks()...)
	e.many(len(all), 4, func(i int) {
		if err := e.openScreen(i, all[i], "play --computer random"); err != nil && len(all[i]) <= tooLong {
			e.fault("%.40q: %v", all[i], err)
		}
	})
	e.figure("%d terminals", len(all))
	return nil
}

func windowAttacks() []attack {
	return []attack{
		{name: "sizes", memory: 6, run: (*enemy).sizes, holds: "no size costs memory, asked for, changed to or typed"},
		{name: "resizes", memory: 6, run: (*enemy).resizes,
			holds: "at most 10 sizes a second are drawn; who sends a thousand is closed"},
	}
}

// sizes requests each pair of bad sizes and changes to every other.
func (e *enemy) sizes() error {
	values := []uint32{0, 1, math.MaxUint16, math.MaxInt32, math.MaxUint32}
	e.many(len(values)*len(values), 5, func(i int) {
		columns, rows := values[i/len(values)], values[i%len(values)]
		client, shell, err := e.unasked(i)
		if err != nil {
			e.fault("open: %v", err)
			return
		}
		defer func() { _ = client.Close() }()
		enterGame(shell, columns, rows)
		for _, c := range values {
			for _, r := range values {
				_, _ = shell.SendRequest("window-change", false, wire.Size(c, r))
				_, _ = fmt.Fprintf(shell, "\x1b[8;%d;%dt\x1b[48;%d;%d;1;1t", r, c, r, c)
			}
		}
		_, _ = shell.SendRequest("window-change", false, wire.Size(80, 24))
		if firstScreen(e, shell) == "" {
			e.fault("%dx%d: nothing is shown", columns, rows)
		}
	})
	e.figure("%d sizes, each changed to every other", len(values)*len(values))
	return nil
}

// resizes changes sizes as fast as is allowed, then a thousand times a second, before a shell, in a game and at its
// end.
func (e *enemy) resizes() error {
	client, err := e.polite(0)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	shell, err := botclient.Start(client, "xterm-256color", "play --computer random")
	if err != nil {
		return err
	}
	lasting := time.Duration(e.pick(2, 10)) * time.Second
	drawn := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(shell)
		drawn <- string(text)
	}()
	begun := time.Now()
	for n := uint32(0); time.Since(begun) < lasting; n++ {
		<-time.After(time.Second / 90)
		if _, err := shell.SendRequest("window-change", false, wire.Size(60+n%40, 24+n%10)); err != nil {
			return fmt.Errorf("90 sizes a second: %w", err)
		}
	}
	_ = shell.Close()
	_ = client.Close()
	redraws := strings.Count(<-drawn, "\x1b[H\x1b[J")
	e.figure("%d drawn in %v at 90 a second", redraws, lasting)
	if most := 11*int(lasting.Seconds()) + 2; redraws > most || redraws == 0 {
		e.fault("%d sizes were drawn in %v", redraws, lasting)
	}
	e.storms()
	return nil
}
