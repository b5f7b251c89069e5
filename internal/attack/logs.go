//go:build attack

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
)

func logAttacks() []attack {
	return []attack{{
		name: "disk-full", memory: 120, fair: true, disk: 100, still: true, lines: 10, runs: onDemand,
		run:   (*enemy).fillDisk,
		holds: "on a full disk 100 bots that resign 1,000 times a second each add 10 lines a second to the log at most",
	}, {
		name: "unread-log", memory: 40, visitors: elsewhere, fair: true, unreadLog: true, run: (*enemy).fillLog,
		holds: "a log that is not read stops no player",
	}}
}

// fillLog makes the server write more lines than a pipe holds: sessions start, try codes and end.
func (e *enemy) fillLog() error {
	const atOnce = 4
	over := time.Now().Add(e.attackFor(5))
	var came, failed atomic.Int64
	e.many(atOnce, atOnce, func(c int) {
		for n := 0; time.Now().Before(over) && e.Err() == nil; n++ {
			bot, err := players.NewBot(e, source(atOnce*n+c), e.address, "mallory", key(atOnce*n+c))
			if err != nil {
				failed.Add(1)
				continue
			}
			came.Add(1)
			try(bot)
			bot.Close()
		}
	})
	e.figure("%d sessions, %d failed", came.Load(), failed.Load())
	return nil
}

// fillDisk makes bots resign while the disk is full. When it has space again, matches start within five seconds.
func (e *enemy) fillDisk() error {
	const left, soon, again = 40, 2 * time.Second, 5 * time.Second
	const known = 2 * time.Second // until the server knows that the disk is full
	data, err := e.server.setting("--data")
	if err != nil {
		return err
	}
	file := filepath.Join(e.server.file("root"), data, "filler") // as in the server's mount namespace
	full := make(chan struct{})
	time.AfterFunc(soon, func() {
		if err := os.WriteFile(file, make([]byte, (100-left)<<20), 0o600); err != nil {
			e.fault("fill the disk: %v", err)
		}
		time.AfterFunc(known, func() { close(full) })
	})
	resign := func(_ int, shell ssh.Channel) (text string, err error) {
		id, err := computerMatch(shell)
		<-full
		return line(fmt.Sprintf(`{"do":"resign","match":%q}`, id), 10), err
	}
	if err := (crowd{lasting: e.attackFor(8), command: "bot", begin: resign}).run(e); err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	begun := time.Now()
	for err = e.once(source(9), "late", 900, beginAndResign); err != nil && time.Since(begun) < again; {
		<-time.After(pollEvery)
		err = e.once(source(9), "late", 900, beginAndResign)
	}
	e.figure("play goes on after %.1f s", time.Since(begun).Seconds())
	return err
}
