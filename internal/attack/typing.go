//go:build attack

package main

import (
	"io"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// pause is longer than the server waits for the rest of an escape sequence: then it interprets what it has.
const pause = 60 * time.Millisecond

// typeNonsense types parts of escape sequences, in any order, with and without a pause between them.
func (e *enemy) typeNonsense() error {
	const typists = 20
	pieces := []string{
		"\x1b", "\x1b[", "\x1b[1", "\x1b[1;", "\x1bO", "\x1b[M", "\x1b[<0;1", "\x1b[200~", "\x1b[201~", "\x1b]",
		"\x1bP", "\x1b_", "\x9b", "\x9bM",
		"\x8f", "\x90", "\x9d", "M4\x7f", "M", "4", ";", "~", "c", "u", "R", "t", "$y", "\xf0\x9f", "\xff", "\x00",
		"\x07", "\x7f",
		"\x1b[74;0;106;1;0;65535_",
	}
	rounds := e.pick(40, 400)
	var typed, ended atomic.Int64
	e.many(typists, typists, func(i int) {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		var client *ssh.Client
		var shell ssh.Channel
		for range rounds {
			var err error
			if client == nil {
				if client, shell, err = e.atTable(i); err != nil {
					e.fault("sit down: %v", err)
					return
				}
			}
			text := ""
			for range 1 + rng.IntN(8) {
				text += pieces[rng.IntN(len(pieces))]
			}
			typed.Add(int64(len(text)))
			if _, err = io.WriteString(shell, text); err != nil { // the server has ended the session
				ended.Add(1)
				_ = client.Close()
				client = nil
			}
			<-time.After(pause)
		}
		if client != nil {
			_ = client.Close()
		}
	})
	e.figure("%d bytes, %d sessions ended by them", typed.Load(), ended.Load())
	return nil
}
