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
	"sync"
	"sync/atomic"
	"time"

	"notakto/internal/rig"
	"notakto/match"
	"notakto/match/store"
	"notakto/rules"
)

// crowdAttacks returns the attacks by many sessions within all limits. None may take time from other players.
func crowdAttacks() []attack {
	const screen = "xterm-256color"
	pings := []role{{command: "bot", text: line(`{"do":"ping","n":1}`, 10)}}
	tabs := []role{{term: screen, text: "\t\t\t\t\t"}}
	all := []attack{
		crowd{"bot-pings", "100 bots that ping 1,000 times a second each", 100, 100, pings,
			10 * time.Millisecond}.attack(),
		crowd{"tui-keys-many", "300 full screens from three addresses with 250 Tabs a second each", 300, 100, tabs,
			20 * time.Millisecond}.attack(),
		crowd{"wide-keys", "300 full screens from 30 addresses with 250 Tabs a second each", 300, 10, tabs,
			20 * time.Millisecond}.attack(),
	}
	review := role{command: "plain", first: line("watch "+string(archivedID(0)), 1), text: line("theory 1", 1)}
	reviews := crowd{"wide-reviews", "300 sessions from 30 addresses that ask for reviews of a long match without end",
		300, 10, []role{review}, 0}.attack()
	reviews.archived = [2]int{1, 1}
	long := []attack{
		crowd{"wide-pings", "300 bots from 30 addresses that ping 1,000 times a second each", 300, 10, pings,
			10 * time.Millisecond}.attack(),
		crowd{"wide-classic", "300 sessions of classic from 30 addresses that read lines without end", 300, 10,
			[]role{{command: "classic two", text: line("", 16<<10)}}, 0}.attack(),
		crowd{"wide-help", "300 sessions from 30 addresses that ask for all help without end", 300, 10,
			[]role{{command: "plain", text: line("help all", 1)}}, 0}.attack(),
		reviews,
		{name: "wide-logins", holds: "30 addresses that log in as often as they may", run: func(e *enemy) error {
			return e.comeAgain(func(i int) error {
				client, err := e.connect(i/4, i)
				if err != nil {
					return err
				}
				return client.Close()
			})
		}},
		{name: "wide-cards", holds: "30 addresses that have as many matches drawn as they may begin sessions",
			archived: [2]int{1, 1}, run: func(e *enemy) error {
				return e.comeAgain(func(i int) error {
					client, card, err := e.start(i/4, i, "", "card "+string(archivedID(0)))
					if err != nil {
						return err
					}
					defer func() { _ = client.Close() }()
					if text, err := io.ReadAll(card); err != nil || !strings.Contains(string(text), "A5") {
						return fmt.Errorf("the card is %.80q: %w", text, err)
					}
					return nil
				})
			}},
		{name: "fast-play", holds: "100 bots of one address that play each other as fast as they can",
			run: (*enemy).playFast},
	}
	for i := range long {
		long[i].long = true
	}
	all = append(all, long...)
	for i := range all {
		all[i].memory, all[i].visitors, all[i].fair = 120, elsewhere, true
		all[i].holds += ", within all limits, take no time from others"
	}
	restless := crowd{"restless", "12 players who come and go, watch and ask without end", 12, 1, []role{
		{command: "plain", first: line("computer random 9 first", 1), text: line("leave\ngo", 100)},
		{command: "plain", first: line("computer random 9 first", 1), text: line("mine", 100)},
		{command: "plain", text: line("watch\nleave", 100)},
		{command: "plain", text: line("matches", 100)},
		{command: "plain", text: line("watch nosuchmatch", 100)},
		// 5q leads from the first visit or the lobby to the lobby.
		{term: screen, first: "5q4", text: strings.Repeat("r", 100)},
	}, 0}.attack()
	restless.memory, restless.holds = 16, restless.holds+", delay no other player"
	return append(all, restless, attack{
		name: "unread-log", memory: 40, visitors: elsewhere, fair: true, unreadLog: true, run: (*enemy).fillLog,
		holds: "a log that is not read stops no player",
	})
}

func line(text string, times int) string { return strings.Repeat(text+"\n", times) }

// comeAgain makes four clients of each of 30 addresses do something again and again.
func (e *enemy) comeAgain(do func(i int) error) error {
	const addresses, each = 30, 4
	attacked, over := e.lasting(6)
	defer over()
	if e.untilOver(attacked, addresses*each, do) == 0 {
		return errNothing
	}
	return nil
}

var errNothing = errors.New("the attacker could do nothing")

// fillLog begins and ends sessions, until the server has logged more lines than a pipe holds.
func (e *enemy) fillLog() error {
	attacked, over := e.lasting(5)
	defer over()
	var n atomic.Int64
	if e.untilOver(attacked, 4, func(int) error {
		player := int(n.Add(1))
		bot, err := e.bot(player, player)
		if err == nil {
			bot.Close()
		}
		return err
	}) == 0 {
		return errNothing
	}
	return nil
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
	name, what     string
	sessions, each int // each is the number of sessions per address
	roles          []role
	every          time.Duration // interval between a session's texts, 0 to send as fast as the server reads
}

// role tells the sessions of a crowd what to send: first once, text again and again.
type role struct{ term, command, first, text string }

func (c crowd) attack() attack { return attack{name: c.name, holds: c.what, run: c.run} }

// run makes all sessions send their text until the attack is over. A new session replaces one that the server ends.
func (c crowd) run(e *enemy) error {
	attacked, over := e.lasting(6)
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
	const atOnce = 200 // the store commits them in groups
	var filling sync.WaitGroup
	errs := make(chan error, atOnce)
	for writer := range atOnce {
		filling.Go(func() {
			var err error
			for i := writer; i < matches && err == nil; i += atOnce {
				err = archiveMatch(ctx, s, i)
			}
			errs <- err
		})
	}
	filling.Wait()
	err = s.Close()
	for range atOnce {
		if failed := <-errs; failed != nil {
			err = failed
		}
	}
	return err
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
