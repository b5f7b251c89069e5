//go:build attack

package main

import (
	"io"
	"strings"
	"sync/atomic"
	"time"

	"notakto/internal/botclient"
)

// restless makes players repeat without end what is cheap for them and costs others work: leave a match and return,
// start and stop watching, list all matches, their own, and look up one that does not exist. Each types as fast as the
// server reads.
func (e *enemy) restless() error {
	each := e.pick(2, 4)
	kinds := []struct{ term, command, first, again string }{
		{"", "plain", "computer random 9 first\n", "leave\ngo\n"},
		{"", "plain", "computer random 9 first\n", "mine\n"},
		{"", "plain", "", "watch\nleave\n"},
		{"", "plain", "", "matches\n"},
		{"", "plain", "", "watch nosuchmatch\n"},
		{"xterm-256color", "", "4", "r"},
	}
	over := time.Now().Add(time.Duration(e.pick(3, 20)) * time.Second)
	var typed atomic.Int64
	e.many(each*len(kinds), each*len(kinds), func(i int) {
		kind := kinds[i%len(kinds)]
		client, err := e.polite(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer time.AfterFunc(time.Until(over), func() { _ = client.Close() }).Stop() // reads may have stopped
		defer func() { _ = client.Close() }()
		shell, err := botclient.Start(client, kind.term, kind.command)
		if err != nil {
			e.fault("begin: %v", err)
			return
		}
		go discard(shell)
		_, err = io.WriteString(shell, kind.first)
		for text := strings.Repeat(kind.again, 100); err == nil; {
			n := 0
			n, err = io.WriteString(shell, text)
			typed.Add(int64(n))
		}
	})
	e.figure("%d KB typed", typed.Load()>>10)
	return nil
}
