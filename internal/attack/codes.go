//go:build attack

package main

import (
	"math/rand/v2"
	"time"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

func codeAttacks() []attack {
	return []attack{{
		name: "codes", memory: 16, run: (*enemy).guessCodes,
		holds: "who tries every code needs more than a day for all, however many keys",
	}}
}

const (
	letters  = "CFHJKMPQRTVWXY3479"
	allCodes = 18 * 18 * 18 * 18
	guesses  = 20 // per login, where logins change
)

// guessCodes tries codes with different keys, and with the same one, from one address.
func (e *enemy) guessCodes() error {
	host, err := e.host()
	if err != nil {
		return err
	}
	defer host.Close()
	lasting := time.Duration(e.pick(10, 300)) * time.Second / 10
	for _, way := range []struct {
		name string
		keys int
	}{{"one key", 1}, {"new keys", 1 << 20}, {"no keys", 0}} {
		tried := e.guess(lasting, way.keys)
		rate := float64(tried["error no_such_table"]) / lasting.Seconds()
		e.figure("%s: %.1f codes a second looked at, %d refused", way.name, rate, tried["error rate_limited"])
		if tried["match"] > 0 {
			e.fault("%s: %d tables were found", way.name, tried["match"])
		}
		if left := allCodes / rate; left < 24*3600 && lasting.Seconds()*rate > 200 {
			e.fault("%s: all codes would be tried in %.1f minutes", way.name, left/60)
		}
	}
	return nil
}

// guess tries codes for a time, and counts the answers.
func (e *enemy) guess(lasting time.Duration, keys int) map[string]int {
	const clients = 4
	begun := time.Now()
	var all totals
	e.many(clients, clients, func(c int) {
		for n := 0; time.Since(begun) < lasting && e.Err() == nil; n++ {
			var signer = key(100 + c)
			switch {
			case keys == 0:
				signer = nil
			case keys > 1:
				signer = key(1000 + 1_000_000*c + n)
			}
			bot, err := players.NewBot(e, source(0), e.address, "mallory", signer)
			if err != nil {
				continue
			}
			all.add(try(bot))
			bot.Close()
		}
	})
	return all.all
}

// try tries some codes on one connection.
func try(bot *botclient.Client) map[string]int {
	for range guesses {
		code := make([]byte, 4)
		for i := range code {
			code[i] = letters[rand.IntN(len(letters))]
		}
		if bot.Send(botproto.Request{Do: botproto.DoJoin, Code: match.Code(code)}) != nil {
			return nil
		}
	}
	_ = bot.Send(botproto.Ping(1))
	received, _ := bot.Count(1)
	return received
}
