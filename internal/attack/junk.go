//go:build attack

package main

import (
	"strings"
	"time"

	"notakto/internal/attack/players"
)

// botJunk sends lines that are too long, too deep, too many or empty.
func (e *enemy) botJunk() error {
	lines := map[string]string{
		"no end":   strings.Repeat("x", 4<<20),
		"deep":     strings.Repeat(strings.Repeat("[", 4000)+"\n", 50),
		"deeper":   strings.Repeat(strings.Repeat(`{"do":`, 600)+"\n", 50),
		"empty":    strings.Repeat("\n", 100_000),
		"zeros":    strings.Repeat("\x00", 1<<20),
		"unknown":  strings.Repeat(`{"do":"fly"}`+"\n", 1000),
		"twice":    strings.Repeat(`{"do":"move","do":"ping"}`+"\n", 1000),
		"numbers":  strings.Repeat(`{"do":"computer","seat":1e999}`+"\n", 1000),
		"variants": strings.Repeat(`{"do":"seek","variant":"notakto/`+strings.Repeat("9", 3000)+`"}`+"\n", 100),
		"ids":      strings.Repeat(`{"do":"move","match":"../../\u001b[2J","move":"A1"}`+"\n", 20_000),
		"pings":    strings.Repeat(`{"do":"ping","n":1}`+"\n", 20_000),
	}
	n := 0
	var slow slowest
	for _, text := range lines {
		n++
		bot, err := players.NewBot(e, source(n), e.address, "mallory", key(n))
		if err != nil {
			return err
		}
		begun := time.Now()
		sent := make(chan error, 1)
		go func() { sent <- bot.SendRaw(text) }()
		select {
		case <-sent:
		case <-time.After(time.Duration(e.pick(1, 5)) * time.Second): // it is slowed down, which is as good
		}
		slow.took("the longest", time.Since(begun))
		bot.Close()
	}
	e.figure("%d kinds, %v", len(lines), &slow)
	return nil
}
