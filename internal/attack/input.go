//go:build attack

package main

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

func inputAttacks() []attack {
	return []attack{
		{name: "unfinished", memory: 10, run: (*enemy).unfinished,
			holds: "endless sequences end the session, for a second of processor time at most"},
		{name: "nonsense", memory: 14, run: (*enemy).typeNonsense,
			holds: "pieces of keys, torn and in any order, end no more than the session"},
		{name: "keys-flood", memory: 8, run: (*enemy).typeFast,
			holds: "10,000 keys a second take a tenth of a core at most, and their opponent is answered within 100 ms"},
	}
}

// atTable returns a client at a table with the computer, whose output is dropped.
func (e *enemy) atTable(n int) (*ssh.Client, ssh.Channel, error) {
	client, err := e.polite(n)
	if err != nil {
		return nil, nil, err
	}
	shell, err := botclient.Start(client, "xterm-256color", "play --computer random")
	if err != nil {
		_ = client.Close()
		return nil, nil, err
	}
	go discard(shell)
	return client, shell, nil
}

// unfinished starts endless input, 32 MB of it; at first a paste, of which the server reads 9 MB. From a session that
// has ended it reads another 8 MB, or for 10 s. The short run does not wait for that.
func (e *enemy) unfinished() error {
	heads := []string{
		"\x1b[200~", "\x1b]0;", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b[", "\xc3", "\x1b[1;", "\x1b[200~\x1b]0;", "\x1b[M",
	}
	var slow slowest
	size, most := 32<<20, time.Duration(e.pick(4, 30))*time.Second
	spent := e.spent(func() {
		e.many(len(heads), len(heads), func(i int) {
			client, shell, err := e.atTable(i)
			if err != nil {
				e.fault("sit down: %v", err)
				return
			}
			defer func() { _ = client.Close() }()
			fill := strings.Repeat("a", 32<<10)
			if strings.HasPrefix(heads[i], "\x1b[") && heads[i][len(heads[i])-1] != '~' {
				fill = strings.Repeat("1;", 16<<10)
			}
			begun := time.Now()
			_, err = io.WriteString(shell, heads[i])
			for sent := 0; sent < size && err == nil && time.Since(begun) < most; sent += len(fill) {
				_, err = io.WriteString(shell, fill)
			}
			switch took := time.Since(begun); {
			case err != nil:
				slow.took("closed", took)
			case took < most:
				e.fault("%q: still open after %d MB", heads[i], size>>20)
			case e.long:
				e.fault("%q: still open after %v", heads[i], took)
			default:
				slow.took("slowed down", took)
			}
		})
	})
	e.figure("%d kinds, %v, %.2f s of processor time each", len(heads), &slow, spent.Seconds()/float64(len(heads)))
	if spent > time.Duration(len(heads))*time.Second {
		e.fault("they took %v of processor time", spent)
	}
	return nil
}

// typeFast types a megabyte as fast as the connection accepts it, then 10,000 keys a second, the latter opposite an
// honest player.
func (e *enemy) typeFast() error {
	client, shell, err := e.atTable(0)
	if err != nil {
		return err
	}
	begun := time.Now()
	spent := e.spent(func() {
		for sent := 0; sent < 1<<20 && err == nil; sent += 30 << 10 {
			_, err = io.WriteString(shell, strings.Repeat("hljk5", 6<<10))
		}
		_ = client.Close()
	})
	e.share("a megabyte at once", spent, time.Since(begun))
	o, err := e.sitOpposite(1)
	if err != nil {
		return err
	}
	defer o.Close()
	defer func() { _ = o.client.Close() }()
	go discard(o.shell)
	lasting, enough := context.WithTimeout(e, time.Duration(e.pick(3, 30))*time.Second)
	defer enough()
	begun = time.Now()
	spent = e.spent(func() {
		go typeOn(lasting, o.shell)
		took, err := o.pings(lasting)
		e.figure("their opponent is answered after %v ms", took)
		if most := 100 * time.Millisecond; err != nil || took.Tail() > most {
			e.fault("the opponent's p99 is %v, %v", took.Tail(), err)
		}
	})
	e.share("10,000 keys a second", spent, time.Since(begun))
	return nil
}

// typeOn types a hundred keys a hundred times a second, until ctx ends.
func typeOn(ctx context.Context, shell io.Writer) {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil {
		<-ticker.C
		if _, err := io.WriteString(shell, strings.Repeat("hljk5", 20)); err != nil {
			return
		}
	}
}

// share evaluates the share of a core that something has used. A short time shows only the start of the first session,
// and in the short run the use of the honest players is not known exactly.
func (e *enemy) share(what string, spent, lasted time.Duration) {
	part := 100 * spent.Seconds() / lasted.Seconds()
	e.figure("%s: %.0f %% of a core for %.1f s", what, part, lasted.Seconds())
	most := float64(e.pick(25, 10))
	if spent > 200*time.Millisecond && part > most {
		e.fault("%s took %.0f %% of a core", what, part)
	}
}

// pause is longer than the server waits after an escape byte: then it is the Escape key.
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
