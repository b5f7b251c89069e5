//go:build attack

package main

import (
	"context"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// askCards has 30 addresses ask for the card of a match of nine boards, as often as each may log in.
func (e *enemy) askCards() error {
	const addresses, each = 30, 4
	id, err := e.playedMatch()
	if err != nil {
		return err
	}
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var shown, size, refused atomic.Int64
	e.many(addresses*each, addresses*each, func(i int) {
		for attacked.Err() == nil {
			n, err := e.askFor(i/each, i, "card "+string(id))
			if err != nil {
				refused.Add(1)
				<-time.After(pollEvery)
				continue
			}
			shown.Add(1)
			size.Store(n)
		}
	})
	e.figure("%d shown of %d bytes, %d refused", shown.Load(), size.Load(), refused.Load())
	if shown.Load() == 0 || size.Load() == 0 {
		e.fault("nothing was shown")
	}
	return nil
}

// askFor logs in for one command, and returns how much it prints.
func (e *enemy) askFor(address, player int, command string) (int64, error) {
	client, err := e.politeFrom(address, player)
	if err != nil {
		return 0, err
	}
	defer func() { _ = client.Close() }()
	shell, err := botclient.Start(client, "", command)
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, shell)
}

// playedMatch is a match of nine boards that is over, after as many moves as could be.
func (e *enemy) playedMatch() (match.ID, error) {
	bot, err := players.NewBot(e, source(0), e.address, "mallory", key(0))
	if err != nil {
		return "", err
	}
	defer bot.Close()
	if err := bot.Send(botproto.Request{Do: botproto.DoComputer, Variant: "notakto/9", Level: "perfect",
		Seat: rules.First}); err != nil {
		return "", err
	}
	begun, err := botclient.Expect[botproto.Match](bot)
	if err != nil {
		return "", err
	}
	variant, err := rules.ParseVariant("notakto/9")
	if err != nil {
		return "", err
	}
	for at := variant.Start(); !at.Outcome().Over(); {
		m := longestMove(at)
		if at.Turn() == rules.First {
			if err := bot.Send(botproto.Request{Do: botproto.DoMove, Match: begun.Match,
				Move: variant.FormatMove(m)}); err != nil {
				return "", err
			}
		}
		played, err := botclient.Expect[botproto.Move](bot)
		if err != nil {
			return "", err
		}
		if m, err = variant.ParseMove(played.Move); err != nil {
			return "", err
		}
		if at, err = at.Play(m); err != nil {
			return "", err
		}
	}
	return begun.Match, nil
}

// longestMove is a move that kills no board, if there is one.
func longestMove(at rules.Position) rules.Move {
	all := at.Legal()
	return all[max(0, slices.IndexFunc(all, func(m rules.Move) bool { return !at.Kills(m) }))]
}

// askReviews has sessions of the plain game look back at a long match without end.
func (e *enemy) askReviews() error {
	id, err := e.playedMatch()
	if err != nil {
		return err
	}
	begin := func(_ int, shell ssh.Channel) (string, error) {
		_, err := io.WriteString(shell, line("watch "+string(id), 1))
		return line("theory 1", 1), err
	}
	return crowd{sessions: 300, each: 10, command: "plain", unpaced: true, begin: begin}.run(e)
}
