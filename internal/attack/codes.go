//go:build attack

package main

import (
	"math/rand/v2"
	"sync"
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

func guessAttacks() []attack {
	return []attack{
		{
			name: "codes-many", memory: 80, fair: true, run: (*enemy).guessFromMany,
			holds: "of all codes, 20 from each of 5,249 addresses, the first of each is heard and then 50 a second of all",
		},
		{
			name: "search", memory: 20, fair: true, run: (*enemy).searchInVain,
			archived: func(o options) int { return o.pick(10_000, 200_000) },
			holds: "30 addresses that look for matches that do not exist cost neither time nor memory, however " +
				"large the archive",
		},
	}
}

// codeNumber returns one of all codes of four letters.
func codeNumber(n int) match.Code {
	code := make([]byte, 4)
	for i := range code {
		code[i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return match.Code(code)
}

// guessFromMany tries each code once, 20 from each address; a part of the codes in the short run.
func (e *enemy) guessFromMany() error {
	const each, atOnce, budget, perSecond = 20, 16, 300, 50
	host, err := e.host()
	if err != nil {
		return err
	}
	defer host.Close()
	addresses := e.pick(400, allCodes/each+1)
	var sum totals
	begun := time.Now()
	e.many(addresses, atOnce, func(i int) {
		bot, err := players.NewBot(e, spread(i), e.address, "mallory", nil)
		if err != nil {
			return
		}
		defer bot.Close()
		for n := range each {
			_ = bot.Send(botproto.Request{Do: botproto.DoJoin, Code: codeNumber(each*i + n)})
		}
		_ = bot.Send(botproto.Ping(1))
		answers, _ := bot.Count(1)
		sum.add(answers)
	})
	took := time.Since(begun)
	answered := sum.all["error no_such_table"] + sum.all["match"]
	refused := sum.all["error rate_limited"]
	e.figure("%d of %d codes heard in %.1f s, %d refused, %d found",
		answered, each*addresses, took.Seconds(), refused, sum.all["match"])
	if most := addresses + budget + int(perSecond*took.Seconds()); answered > most { // the first of each is answered
		e.fault("%d codes were heard, over %d", answered, most)
	}
	return nil
}

// searchInVain makes bots at 30 addresses look up matches that were never played, as often as they may.
func (e *enemy) searchInVain() error {
	const addresses, pause = 30, 100 * time.Millisecond
	over := time.Now().Add(e.attackFor(6))
	var answered totals
	e.many(addresses, addresses, func(i int) {
		bot, err := players.NewBot(e, source(i), e.address, "mallory", key(i))
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer bot.Close()
		for time.Now().Before(over) {
			_ = bot.Send(botproto.Request{Do: botproto.DoWatch, Match: madeUp()})
			_ = bot.Send(botproto.Ping(1))
			received, err := bot.Count(1)
			answered.add(received)
			if err != nil {
				e.fault("search: %v", err)
				return
			}
			<-time.After(pause)
		}
	})
	e.figure("%d searched for, %d refused", answered.all["error no_such_match"], answered.all["error rate_limited"])
	return nil
}

// madeUp returns a valid ID of a match that does not exist.
func madeUp() match.ID {
	const letters, length = "abcdefghijklmnopqrstuvwxyz234567", 10
	id := make([]byte, length)
	for i := range id {
		id[i] = letters[rand.IntN(len(letters))]
	}
	return match.ID(id)
}

// totals counts the answers to several bots.
type totals struct {
	mu  sync.Mutex
	all map[string]int
}

func (t *totals) add(received map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]int{}
	}
	for what, n := range received {
		t.all[what] += n
	}
}
