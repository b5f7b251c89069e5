//go:build attack

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"notakto/internal/botclient"
	"notakto/internal/rig"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// shareAttacks returns the attacks that use up what players of an address, or all players, share. Those of one address
// that need no load are in the long run only: tests of match/limit try them on a simulated clock.
func shareAttacks() []attack {
	all := []attack{
		{
			name: "neighbour-sessions", memory: 30, fair: true, long: true, run: (*enemy).takeSessions,
			holds: "at the address of 100 idle bots half of the neighbour's sessions begin",
		}, {
			name: "neighbour-codes", memory: 30, fair: true, long: true, run: (*enemy).takeGuesses,
			holds: "at the address of a bot that says a wrong code every 50 ms, half of the neighbour's right codes " +
				"are taken",
		}, {
			name: "neighbour-begins", memory: 60, fair: true, long: true, run: (*enemy).takeMatches,
			flags: []string{"--max-match-rate", "240"}, // more than the honest players start
			holds: "at the address of bots that begin matches without end, half of the neighbour's matches begin",
		}, {
			name: "neighbour-input", memory: 40, fair: true, run: (*enemy).takeInput,
			holds: "at the address of 90 busy bots a key every 0.7 s is drawn within 100 ms (p99)",
		}, {
			name: "codes-many", memory: 80, fair: true, run: (*enemy).guessFromMany,
			holds: "of 20 codes from each of 5,000 addresses, 160 and then three a second are answered as wrong, " +
				"while others join their tables by code",
		}, {
			name: "search", memory: 20, fair: true, run: (*enemy).searchInVain, archived: [2]int{10_000, 200_000},
			holds: "30 addresses that look for matches that do not exist cost neither time nor memory, however " +
				"large the archive",
		},
	}
	for _, c := range []struct {
		name, what string
		stay       time.Duration // in the queue, 0 for the whole attack
	}{
		{"queue-waits", "that wait, each for a clock of its own,", 0},
		{"queue-changes", "that seek and cancel twice a second, each for a clock of its own,", 250 * time.Millisecond},
	} {
		all = append(all, attack{
			name: c.name, memory: 300, fair: true, long: true,
			flags: []string{"--max-match-rate", "600"}, // the usual one
			run:   func(e *enemy) error { return e.crowdQueue(c.stay) },
			holds: "a thousand guests of ten addresses " + c.what + " keep no two others from meeting within a second",
		})
	}
	return all
}

// neighbour calls tryOut at the attacker's address. Half of the tries must succeed.
func (e *enemy) neighbour(attacked context.Context, try func(*botclient.Client) error) {
	e.tryOut(attacked, "neighbour", 50, func(int) net.IP { return source(0) }, try)
}

// tryOut logs in new players until the attack is over, each 300 ms after the last, and calls try with them. At least
// share percent of the tries must succeed. Function from gives the address of try n.
func (e *enemy) tryOut(
	attacked context.Context, who string, share int, from func(n int) net.IP, try func(*botclient.Client) error,
) {
	const pause, soon = 300 * time.Millisecond, time.Second
	<-time.After(soon) // the attacker starts first
	all, in := 0, 0
	var failed error
	for ; attacked.Err() == nil; all++ {
		ctx, cancel := context.WithTimeout(e, e.limit())
		bot, err := rig.NewBot(ctx, from(all), e.address, who, key(100_000+all))
		cancel()
		if err == nil {
			err = try(bot)
			bot.Close()
		}
		if err != nil {
			failed = err
		} else {
			in++
		}
		<-time.After(pause)
	}
	e.figure("the %s succeeds in %d of %d tries", who, in, all)
	if 100*in < share*all || all == 0 {
		e.fault("the %s succeeds in %d of %d tries: %v", who, in, all, failed)
	}
}

// takeSessions opens all sessions that an address may have, and leaves them idle.
func (e *enemy) takeSessions() error {
	const connections, each = 13, 8
	taken := 0
	for i := range connections {
		client, err := e.connect(0, i)
		if err != nil {
			return err
		}
		defer func() { _ = client.Close() }()
		for range each {
			if shell, err := botclient.Start(client, "", "bot"); err == nil {
				taken++
				go discard(shell)
			}
		}
	}
	attacked, over := e.lasting(4)
	defer over()
	e.neighbour(attacked, func(*botclient.Client) error { return nil })
	e.figure("%d sessions taken", taken)
	return nil
}

// takeGuesses tries wrong codes while the neighbour joins private tables. The host of the tables is at another
// address.
func (e *enemy) takeGuesses() error {
	const pause = 50 * time.Millisecond
	attacked, over := e.lasting(5)
	defer over()
	guesser, err := e.bot(0, 0)
	if err != nil {
		return err
	}
	defer guesser.Close()
	go guesser.Discard()
	go func() {
		for n := 0; attacked.Err() == nil; n++ {
			if guesser.Send(botproto.Request{Do: botproto.DoJoin, Code: codeNumber(n)}) != nil {
				return
			}
			<-time.After(pause)
		}
	}()
	join, leave, err := e.joiner()
	if err != nil {
		return err
	}
	defer leave()
	e.neighbour(attacked, join)
	return nil
}

// joiner returns a function that joins a new private table by its code, and one that ends the table's host. The host is
// at an address of its own.
func (e *enemy) joiner() (join func(*botclient.Client) error, leave func(), err error) {
	host, err := e.bot(99, 99)
	if err != nil {
		return nil, nil, err
	}
	return func(bot *botclient.Client) error {
		waits, err := table(host)
		if err != nil {
			return err
		}
		come := botproto.Request{Do: botproto.DoJoin, Code: waits.Code}
		err = errors.Join(bot.Send(come), expect[botproto.Match](bot))
		left := host.Send(botproto.Request{Do: botproto.DoLeave, Match: waits.Match})
		return errors.Join(err, left, expect[botproto.End](host))
	}, host.Close, nil
}

// takeMatches begins matches and resigns them at a rate over an address's limit, while the neighbour begins a few.
func (e *enemy) takeMatches() error {
	attacked, over := e.lasting(6)
	defer over()
	return e.withBots(attacked, 10, func(bot *botclient.Client, _ int) bool {
		var refused *botclient.RefusedError
		err := beginAndResign(bot)
		return err == nil || errors.As(err, &refused)
	}, func() error {
		e.neighbour(attacked, beginAndResign)
		return nil
	})
}

// takeInput uses up the input of an address with 90 bots, while a person there presses keys on the full screen.
func (e *enemy) takeInput() error {
	const bots, botPause, keyPause, most = 90, 20 * time.Millisecond, 700 * time.Millisecond, 100 * time.Millisecond
	attacked, over := e.lasting(10)
	defer over()
	return e.withBots(attacked, bots, func(bot *botclient.Client, n int) bool {
		<-time.After(botPause)
		return bot.Send(botproto.Ping(n)) == nil && expect[botproto.Pong](bot) == nil
	}, func() error {
		player, err := rig.NewPlayer(e, source(0), e.address, key(bots), keyPause)
		if err != nil {
			return err
		}
		defer player.Leave()
		player.Run(attacked)
		keys, faults := player.Since(rig.Mark{})
		e.figure("the neighbour's keys %v", keys)
		for _, fault := range faults {
			e.fault("%s", fault)
		}
		if keys.Tail() > most {
			e.fault("the p99 of the neighbour's keys is %v, over %v", keys.Tail(), most)
		}
		return nil
	})
}

// withBots logs in a number of bots at the attacker's address, and then calls neighbour. Each bot calls do until
// attacked ends or do returns false.
func (e *enemy) withBots(
	attacked context.Context, bots int, do func(bot *botclient.Client, n int) bool, neighbour func() error,
) error {
	var did atomic.Int64
	for i := range bots {
		bot, err := e.bot(0, i)
		if err != nil {
			return err
		}
		defer bot.Close()
		go func() {
			for attacked.Err() == nil && do(bot, i) {
				did.Add(1)
			}
		}()
	}
	defer func() { e.figure("%d times by the attacker", did.Load()) }()
	return neighbour()
}

// guessFromMany tries 20 codes from each address.
func (e *enemy) guessFromMany() error {
	const each, atOnce, budget, perSecond = 20, 16, 160, 3
	addresses := e.pick(400, 5000)
	join, leave, err := e.joiner()
	if err != nil {
		return err
	}
	defer leave()
	attacked, over := e.lasting(4)
	defer over()
	var joining sync.WaitGroup
	joining.Go(func() { e.tryOut(attacked, "player with a code", 100, honest, join) })
	var heard, refused, found atomic.Int64
	begun := time.Now()
	e.many(addresses, atOnce, func(i int) {
		bot, err := e.guest(spread(i))
		if err != nil {
			return
		}
		defer bot.Close()
		for n := range each {
			_ = bot.Send(botproto.Request{Do: botproto.DoJoin, Code: codeNumber(each*i + n)})
		}
		_ = bot.Send(botproto.Ping(1))
		answers, _ := bot.Count(1)
		heard.Add(int64(answers["error no_such_table"] + answers["match"]))
		refused.Add(int64(answers["error rate_limited"]))
		found.Add(int64(answers["match"]))
	})
	took := time.Since(begun)
	joining.Wait()
	e.figure("%d of %d codes heard in %.1f s, %d refused, %d found",
		heard.Load(), each*addresses, took.Seconds(), refused.Load(), found.Load())
	if most := budget + int64(perSecond*took.Seconds()); heard.Load() > most {
		e.fault("%d codes were heard, over %d", heard.Load(), most)
	}
	return nil
}

// searchInVain looks up matches that do not exist, with bots at 30 addresses and ten times a second each.
func (e *enemy) searchInVain() error {
	const addresses, pause = 30, 100 * time.Millisecond
	attacked, over := e.lasting(4)
	defer over()
	var missing, refused atomic.Int64
	e.many(addresses, addresses, func(i int) {
		bot, err := e.bot(i, i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer bot.Close()
		for attacked.Err() == nil {
			_ = bot.Send(botproto.Request{Do: botproto.DoWatch, Match: match.ID(fmt.Sprintf("no%08d", rand.IntN(1e8)))})
			_ = bot.Send(botproto.Ping(1))
			received, err := bot.Count(1)
			missing.Add(int64(received["error no_such_match"]))
			refused.Add(int64(received["error rate_limited"]))
			if err != nil {
				e.fault("search: %v", err)
				return
			}
			<-time.After(pause)
		}
	})
	e.figure("%d searched for, %d refused", missing.Load(), refused.Load())
	return nil
}

// crowdQueue fills the queue with guests, while couples of honest players meet there.
func (e *enemy) crowdQueue(stay time.Duration) error {
	const each = 100
	guests := e.pick(300, 1000)
	attacked, over := context.WithCancel(e)
	defer over()
	var waiting, refused atomic.Int64
	met := make(chan error, 1)
	go func() {
		defer over()
		for until := time.Now().Add(40 * time.Second); waiting.Load() < int64(guests) && time.Now().Before(until); {
			<-time.After(pollEvery) // logins take time
		}
		met <- e.meetInQueue(time.Now().Add(e.seconds(8, 20)))
	}()
	e.many(guests, guests, func(i int) {
		<-time.After(time.Duration(i) * 10 * time.Millisecond)
		bot, err := e.guest(source(i / each))
		for ; err != nil && attacked.Err() == nil; refused.Add(1) { // too many log in
			<-time.After(time.Second)
			bot, err = e.guest(source(i / each))
		}
		if waiting.Add(1); err != nil {
			return
		}
		defer bot.Close()
		// No two guests seek the same variant and clock.
		seek := botproto.Request{Do: botproto.DoSeek, Variant: fmt.Sprintf("notakto/%d", 1+i/600),
			Clock: fmt.Sprintf("%d+%d", 1+i%60, 30+i/60%10)}
		for attacked.Err() == nil {
			if errors.Join(bot.Send(seek), expect[botproto.Seeking](bot)) != nil {
				refused.Add(1)
				<-time.After(time.Second)
				continue
			}
			if stay == 0 {
				<-attacked.Done()
				return
			}
			<-time.After(stay)
			if errors.Join(bot.Send(botproto.Request{Do: botproto.DoCancel}), expect[botproto.Cancelled](bot)) != nil {
				return
			}
			<-time.After(stay)
		}
	})
	e.figure("%d guests, %d seeks and logins refused", waiting.Load(), refused.Load())
	return <-met
}

// meetInQueue makes couples of players meet in the queue, and measures the time until both have the match. Each couple
// is new, because players who leave a match early are paired last.
func (e *enemy) meetInQueue(until time.Time) error {
	const most, pause = time.Second, 100 * time.Millisecond
	var took rig.Times
	for n := 0; time.Now().Before(until); n++ {
		var bots [2]*botclient.Client
		for i := range bots {
			player := 2*n + i
			bot, err := rig.NewBot(e, honest(player), e.address, "honest", key(900_000+player))
			if err != nil {
				return err
			}
			defer bot.Close()
			bots[i] = bot
		}
		begun := time.Now()
		for _, bot := range bots {
			if err := bot.Send(botproto.Request{Do: botproto.DoSeek, Variant: tableGame}); err != nil {
				return err
			}
		}
		for _, bot := range bots {
			if err := expect[botproto.Match](bot); err != nil {
				return fmt.Errorf("after %d matches: %w", len(took), err)
			}
		}
		took = append(took, time.Since(begun))
		<-time.After(pause)
	}
	slices.Sort(took)
	e.figure("two others meet in %v ms", took)
	if took.Tail() > most {
		e.fault("two others meet after %v", took.Tail().Round(time.Millisecond))
	}
	return nil
}
