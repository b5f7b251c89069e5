//go:build attack

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
	"notakto/match"
	"notakto/match/store"
	"notakto/rules"
)

// crowdAttacks returns the attacks by many sessions within all limits. None may take time from other players.
func crowdAttacks() []attack {
	const screen, often, seldom = "xterm-256color", 10 * time.Millisecond, 20 * time.Millisecond
	pings := []role{{command: "bot", text: line(`{"do":"ping","n":1}`, 10)}}
	tabs := []role{{term: screen, text: "\t\t\t\t\t"}}
	lines := []role{{command: "classic two", text: line("", 16<<10)}}
	help := []role{{command: "plain", text: line("help all", 1)}}
	reviews := []role{{command: "plain", first: line("watch "+string(archivedID(0)), 1), text: line("theory 1", 1)}}
	one := [2]int{1, 1} // archived
	all := []attack{
		{name: "bot-pings", run: crowd{100, 100, pings, often}.run,
			holds: "100 bots that ping 1,000 times a second each"},
		{name: "tui-keys-many", run: crowd{300, 100, tabs, seldom}.run,
			holds: "300 full screens from three addresses with 250 Tabs a second each"},
		{name: "wide-keys", run: crowd{300, 10, tabs, seldom}.run,
			holds: "300 full screens from 30 addresses with 250 Tabs a second each"},
		{name: "wide-pings", long: true, run: crowd{300, 10, pings, often}.run,
			holds: "300 bots from 30 addresses that ping 1,000 times a second each"},
		{name: "wide-classic", long: true, run: crowd{300, 10, lines, 0}.run,
			holds: "300 sessions of classic from 30 addresses that read lines without end"},
		{name: "wide-help", long: true, run: crowd{300, 10, help, 0}.run,
			holds: "300 sessions from 30 addresses that ask for all help without end"},
		{name: "wide-reviews", long: true, archived: one, run: crowd{300, 10, reviews, 0}.run,
			holds: "300 sessions from 30 addresses that ask for reviews of a long match without end"},
		{name: "wide-logins", long: true, run: (*enemy).logInOften,
			holds: "30 addresses that log in as often as they may"},
		{name: "wide-cards", long: true, archived: one, run: (*enemy).drawCards,
			holds: "30 addresses that have as many matches drawn as they may begin sessions"},
		{name: "fast-play", long: true, run: (*enemy).playFast,
			holds: "100 bots of one address that play each other as fast as they can"},
	}
	for i := range all {
		all[i].memory, all[i].visitors, all[i].fair = 120, elsewhere, true
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
		attack{name: "restless", memory: 16, run: restless.run,
			holds: "12 players who come and go, watch and ask without end, delay no other player"},
		attack{name: "unread-log", memory: 40, visitors: elsewhere, fair: true, unreadLog: true, run: (*enemy).fillLog,
			holds: "a log that is not read stops no player"})
}

func line(text string, times int) string { return strings.Repeat(text+"\n", times) }

const fromThirty = 4 * 30 // clients, four of each of 30 addresses

func (e *enemy) logInOften() error {
	return e.comeAgain(6, fromThirty, func(i int) error {
		client, err := e.connect(i/4, i)
		if err != nil {
			return err
		}
		return client.Close()
	})
}

func (e *enemy) drawCards() error {
	return e.comeAgain(6, fromThirty, func(i int) error {
		client, card, err := e.start(i/4, i, "", "card "+string(archivedID(0)))
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

// comeAgain makes clients do something again and again, for short seconds in the short run. The error is errNothing if
// nothing ever succeeded.
func (e *enemy) comeAgain(short, clients int, do func(i int) error) error {
	attacked, over := e.lasting(short)
	defer over()
	if e.untilOver(attacked, clients, do) == 0 {
		return errNothing
	}
	return nil
}

var errNothing = errors.New("the attacker could do nothing")

// fillLog begins and ends sessions, so that the server logs more than a pipe holds.
func (e *enemy) fillLog() error {
	var n atomic.Int64
	return e.comeAgain(5, 4, func(int) error {
		player := int(n.Add(1))
		bot, err := e.bot(player, player)
		if err == nil {
			bot.Close()
		}
		return err
	})
}

// playFast makes 50 pairs of bots of one address play without a pause.
func (e *enemy) playFast() error {
	const pairs = 50
	attacked, over := e.lasting(6)
	defer over()
	var moves atomic.Int64
	e.many(pairs, pairs, func(i int) {
		pair, err := rig.NewPair(e, source(0), e.address, 1000+i, 0)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer pair.Leave()
		pair.Run(attacked)
		took, _ := pair.Since(rig.Mark{})
		moves.Add(int64(len(took)))
	})
	e.figure("%d moves", moves.Load())
	return nil
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

// run makes all sessions send their text until the attack is over. A new session replaces one that the server ends.
func (c crowd) run(e *enemy) error {
	attacked, over := e.lasting(4)
	defer over()
	var sent atomic.Int64
	e.untilOver(attacked, c.sessions, func(i int) error {
		n, err := c.session(attacked, e, i)
		sent.Add(n)
		return err
	})
	e.figure("%d KB sent", sent.Load()>>10)
	if sent.Load() == 0 {
		return errNothing
	}
	return nil
}

// session logs in and sends the text until the server closes the session or the attack is over. sent is in bytes.
func (c crowd) session(attacked context.Context, e *enemy, n int) (sent int64, err error) {
	role := c.roles[n%len(c.roles)]
	client, shell, err := e.start(n/c.each, n, role.term, role.command)
	if err != nil {
		return 0, err
	}
	defer func() { _ = client.Close() }()
	defer context.AfterFunc(attacked, func() { _ = client.Close() })() // a write may block
	go discard(shell)
	if _, err := io.WriteString(shell, role.first); err != nil {
		return 0, err
	}
	ticker := time.NewTicker(max(c.every, 1))
	defer ticker.Stop()
	for {
		written, err := io.WriteString(shell, role.text)
		sent += int64(written)
		if attacked.Err() != nil {
			return sent, nil
		}
		if err != nil {
			return sent, err
		}
		if c.every > 0 {
			<-ticker.C
		}
	}
}

// fillArchive creates a data directory with a number of finished matches. The first one is a long one.
func fillArchive(ctx context.Context, dir string, matches int) error {
	s, err := store.Open(ctx, store.Config{Dir: filepath.Clean(dir)})
	if err != nil {
		return err
	}
	filling, ctx := errgroup.WithContext(ctx)
	filling.SetLimit(200) // the store commits them in groups
	for i := range matches {
		filling.Go(func() error { return archiveMatch(ctx, s, i) })
	}
	return errors.Join(filling.Wait(), s.Close())
}

func archivedID(n int) match.ID { return match.ID(fmt.Sprintf("full%06d", n)) }

func archiveMatch(ctx context.Context, s *store.Store, n int) error {
	variant := rules.DefaultVariant()
	if n == 0 {
		variant, _ = rules.Notakto(rules.MaxBoards)
	}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: variant}, Origin: match.QueueOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "SHA256:ann", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "SHA256:ben", Name: "ben"}},
	}
	for at := variant.Start(); !at.Outcome().IsOver(); {
		all := at.LegalMoves()
		m := all[max(0, slices.IndexFunc(all, func(m rules.Move) bool { return !at.Kills(m) }))]
		events = append(events, match.Event{Kind: match.Moved, Seat: at.Turn(), Move: m})
		next, err := at.Play(m)
		if err != nil {
			return err
		}
		if at = next; n > 0 {
			events = append(events, match.Event{Kind: match.Resigned, Seat: rules.First})
			break
		}
	}
	for i := range events {
		events[i].Match, events[i].Seq = archivedID(n), uint64(i+1)
	}
	if _, err := s.Append(ctx, events...); err != nil {
		return err
	}
	return s.Archive(ctx, archivedID(n))
}
