//go:build attack

package main

import (
	"context"
	"io"
	"strings"
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

// unfinished starts endless input, 16 MB of it; at first a paste. The short run does not wait until the server ends the
// session.
func (e *enemy) unfinished() error {
	heads := []string{
		"\x1b[200~", "\x1b]0;", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b[", "\xc3", "\x1b[1;", "\x1b[200~\x1b]0;", "\x1b[M",
	}
	var slow slowest
	size, most := e.pick(4, 16)<<20, time.Duration(e.pick(4, 30))*time.Second
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
