//go:build attack

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/wire"
)

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
