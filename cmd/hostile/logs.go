//go:build hostile

package main

import (
	"sync/atomic"
	"time"

	"notakto/cmd/hostile/honest"
)

func logAttacks() []attack {
	return []attack{{
		name: "unread-log", memory: 40, visitors: elsewhere, fair: true, unreadLog: true, runs: onDemand,
		run:   (*enemy).fillLog,
		holds: "a log that is not read stops nobody",
	}}
}

// fillLog has the server write more lines than a pipe holds: sessions come, guess codes and go.
func (e *enemy) fillLog() error {
	const atOnce = 4
	over := time.Now().Add(e.attackFor(5))
	var came, failed atomic.Int64
	e.many(atOnce, atOnce, func(c int) {
		for n := 0; time.Now().Before(over) && e.Err() == nil; n++ {
			bot, err := honest.NewBot(e, source(atOnce*n+c), e.address, "mallory", key(atOnce*n+c))
			if err != nil {
				failed.Add(1)
				continue
			}
			came.Add(1)
			try(bot)
			bot.Leave()
		}
	})
	e.figure("%d sessions, %d failed", came.Load(), failed.Load())
	return nil
}
