//go:build attack

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"notakto/internal/rig"
	"notakto/match"
	"notakto/rules"
)

// crowdAttacks returns the attacks by many sessions. The sessions of the first six keep within all limits.
func crowdAttacks() []attack {
	const screen, often, seldom = "xterm-256color", 10 * time.Millisecond, 20 * time.Millisecond
	pings := []role{{command: "bot", text: line(`{"do":"ping","n":1}`, 10)}}
	tabs := []role{{term: screen, text: "\t\t\t\t\t"}}
	all := []attack{
		{name: "bot-pings", run: crowd{100, 100, pings, often}.run,
			holds: "100 bots that ping 1,000 times a second each"},
		{name: "tui-keys-many", run: crowd{300, 100, tabs, seldom}.run,
			holds: "300 full screens from three addresses with 250 Tabs a second each"},
		{name: "wide-keys", run: crowd{300, 10, tabs, seldom}.run,
			holds: "300 full screens from 30 addresses with 250 Tabs a second each"},
		{name: "wide-lines", long: true, run: (*enemy).askMuch,
			holds: "300 sessions from 30 addresses that read lines, help and reviews of a long match without end"},
		{name: "wide-logins", long: true, run: (*enemy).logInOften,
			holds: "30 addresses that log in as often as they may"},
		{name: "wide-cards", long: true, run: (*enemy).drawCards,
			holds: "30 addresses that have as many matches drawn as they may begin sessions"},
	}
	for i := range all {
		all[i].mostMemory, all[i].visitors, all[i].fair = 120, elsewhere, true
		all[i].holds += ", within all limits, take no time from others"
	}
	restless := crowd{12, 1, []role{
		{command: "plain", first: line("computer random 9 first", 1), text: line("leave\ngo", 100)},
		{command: "plain", first: line("computer random 9 first", 1), text: line("mine", 100)},
		{command: "plain", text: line("watch\nleave", 100)},
		{command: "plain", text: line("matches", 100)},
		{command: "plain", text: line("watch nosuchmatch", 100)},
		// 5q leads from the first visit or the lobby to the lobby.
		{term: screen, first: "5q4", text: strings.Repeat("r", 100)},
	}, 0}
	return append(all,
		attack{name: "restless", mostMemory: 16, run: restless.run,
			holds: "12 players who come and go, watch and ask without end, delay no other player"},
		attack{name: "neighbour-input", mostMemory: 50, fair: true, run: (*enemy).takeInput,
			holds: "at the address of 90 flooding bots a key every 0.7 s is drawn within 100 ms (p99)"},
		attack{name: "unread-log", mostMemory: 40, visitors: elsewhere, fair: true, unreadLog: true,
			run: (*enemy).fillLog, holds: "a log that is not read stops no player"})
}

func line(text string, times int) string { return strings.Repeat(text+"\n", times) }

const fromThirty = 4 * 30 // clients, four of each of 30 addresses

func (e *enemy) logInOften() error {
	return e.comeAgain(6, fromThirty, func(_ context.Context, i int) error {
		client, err := e.client(i/4, i).Login(e)
		if err != nil {
			return err
		}
		return client.Close()
	})
}

func (e *enemy) drawCards() error {
	id, err := e.longMatch()
	if err != nil {
		return err
	}
	return e.comeAgain(6, fromThirty, func(_ context.Context, i int) error {
		client, card, err := e.client(i/4, i).Begin(e, "", "card "+string(id))
		if err != nil {
			return err
		}
		defer func() { _ = client.Close() }()
		if text, err := io.ReadAll(card); err != nil || !strings.Contains(string(text), "</svg>") {
			return fmt.Errorf("the card is %.80q: %w", text, err)
		}
		return nil
	})
}

func (e *enemy) askMuch() error {
	id, err := e.longMatch()
	if err != nil {
		return err
	}
	return crowd{300, 10, []role{
		{command: "classic two", text: line("", 16<<10)},
		{command: "plain", text: line("help all", 1)},
		{command: "plain", first: line("watch "+string(id), 1), text: line("theory 1", 1)},
	}, 0}.run(e)
}

// longMatch plays a match on as many boards as a match can have.
func (e *enemy) longMatch() (match.ID, error) {
	pair, err := e.client(99, 0).Pair(e, 1000)
	if err != nil {
		return "", err
	}
	defer pair.Leave()
	pair.Variant = fmt.Sprintf("notakto/%d", rules.MaxBoards)
	return pair.Play(e, 0)
}

// fillLog begins and ends sessions, so that the server logs more than a pipe holds.
func (e *enemy) fillLog() error {
	var n atomic.Int64
	return e.comeAgain(5, 4, func(context.Context, int) error {
		player := int(n.Add(1))
		bot, err := e.client(player, player).Bot(e)
		if err == nil {
			bot.Close()
		}
		return err
	})
}

// takeInput floods the server from one address with 90 bots, while a person there presses keys on the full screen. The
// server ends a flooding bot's session after some seconds, and the bot logs in again.
func (e *enemy) takeInput() error {
	const bots, keyPause, most = 90, 700 * time.Millisecond, 100 * time.Millisecond
	player, err := e.client(0, bots).Player(e, keyPause)
	if err != nil {
		return err
	}
	defer player.Leave()
	flood := crowd{bots, bots, []role{{command: "bot", text: line(`{"do":"ping"}`, 100)}}, 10 * time.Millisecond}
	var sent atomic.Int64
	err = e.comeAgain(10, bots+1, func(attacked context.Context, i int) error {
		if i < bots {
			return flood.session(attacked, e, i, &sent)
		}
		player.Run(attacked)
		<-attacked.Done() // also after a fault
		return nil
	})
	if sent.Load() == 0 {
		return errNothing
	}
	keys, faults := player.Since(rig.Mark{})
	e.figure("%d KB sent, the neighbour's keys %v", sent.Load()>>10, keys)
	for _, fault := range faults {
		e.fault("%s", fault)
	}
	if keys.Tail() > most {
		e.fault("the p99 of the neighbour's keys is %v, over %v", keys.Tail(), most)
	}
	return err
}

// crowd is an attack by many sessions that send a text again and again. Session n has the role n, modulo the number of
// roles.
type crowd struct {
	sessions, each int // each is the number of sessions per address
	roles          []role
	every          time.Duration // interval between a session's texts, 0 to send as fast as the server reads
}

// role tells the sessions of a crowd what to send: first once, text again and again.
type role struct{ term, command, first, text string }

// run makes all sessions send their text for the usual time. A new session replaces one that the server ends.
func (c crowd) run(e *enemy) error {
	var sent atomic.Int64
	err := e.comeAgain(4, c.sessions, func(attacked context.Context, i int) error {
		return c.session(attacked, e, i, &sent)
	})
	e.figure("%d KB sent", sent.Load()>>10)
	if sent.Load() == 0 {
		return errNothing
	}
	return err
}

// session logs in and sends the text until the server closes the session or the attack is over. The bytes are added to
// sent. The end of the attack is no error.
func (c crowd) session(attacked context.Context, e *enemy, n int, sent *atomic.Int64) error {
	role := c.roles[n%len(c.roles)]
	client, shell, err := e.client(n/c.each, n).Begin(e, role.term, role.command)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	defer context.AfterFunc(attacked, func() { _ = client.Close() })() // a write may block
	go discard(shell)
	_, err = io.WriteString(shell, role.first)
	ticker := time.NewTicker(max(c.every, 1))
	defer ticker.Stop()
	for err == nil && attacked.Err() == nil {
		var written int
		written, err = io.WriteString(shell, role.text)
		sent.Add(int64(written))
		if c.every > 0 {
			<-ticker.C
		}
	}
	if attacked.Err() != nil {
		return nil
	}
	return err
}
