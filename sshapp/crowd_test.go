package sshapp

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

const (
	crowd        = 500  // bots at once
	crowdMatches = 5000 // that they play
)

// hall has what the bots of BenchmarkBots share.
type hall struct {
	mu            sync.Mutex
	tickets       int
	sent          map[string]time.Time // by match and ply
	played        map[match.ID]string  // the moves and the end, as the first seat was told them
	moves         int
	waits, delays []time.Duration
}

// BenchmarkBots has a crowd of bots meet in the queue and play matches to the end without a pause. The clients share
// the process and its cores with the server, and the figures include both. One operation is all matches together.
func BenchmarkBots(b *testing.B) {
	s := startServer(b, func(o *options) { o.MaxSessionsPerAddress = crowd })
	var bots []*botclient.Client
	for i := range crowd {
		seed := binary.BigEndian.AppendUint64(make([]byte, ed25519.SeedSize-8), uint64(i)+1)
		key, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
		testkit.OK(b, err)
		bot, err := botclient.Open(s.dial(fmt.Sprintf("bot%d", i), key), nil)
		testkit.OK(b, err)
		bots = append(bots, bot)
	}
	h := &hall{sent: make(map[string]time.Time), played: make(map[match.ID]string)}
	for b.Loop() {
		h.tickets = 0
		ended := make(chan error, crowd)
		for i, bot := range bots {
			go func() { ended <- h.playAll(bot, rand.New(rand.NewPCG(uint64(i), 500))) }()
		}
		for range bots {
			testkit.OK(b, <-ended)
		}
	}
	if len(h.played) > 0 {
		b.Errorf("%d matches were told to one seat only", len(h.played))
	}
	slices.Sort(h.waits)
	slices.Sort(h.delays)
	percentile := func(all []time.Duration, percent int, unit string) {
		b.ReportMetric(float64(all[len(all)*percent/100])/float64(time.Millisecond), unit)
	}
	b.ReportMetric(float64(h.moves)/2/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(len(h.waits)/2), "matches")
	percentile(h.waits, 50, "queue-p50-ms")
	percentile(h.delays, 50, "p50-ms")
	percentile(h.delays, 99, "p99-ms")
	b.ReportMetric(0, "ns/op") // has no meaning here
}

// playAll has a bot play until no ticket is left. A match has two tickets, so the second bot joins the first one.
func (h *hall) playAll(bot *botclient.Client, chance *rand.Rand) error {
	for {
		h.mu.Lock()
		boards := h.tickets/2%3 + 1
		h.tickets++
		isOver := h.tickets > 2*crowdMatches
		h.mu.Unlock()
		if isOver {
			return nil
		}
		if err := h.play(bot, chance, fmt.Sprintf("notakto/%d", boards)); err != nil {
			return err
		}
	}
}

// play has a bot meet an opponent and play random legal moves to the end.
func (h *hall) play(bot *botclient.Client, chance *rand.Rand, variant string) error {
	began, told := time.Now(), []string(nil)
	if err := bot.Send(botproto.Request{Do: botproto.DoSeek, Variant: variant}); err != nil {
		return err
	}
	var begun botproto.Match
	var position rules.Position
	var turn rules.Side
	for event := range bot.Events() {
		var moves []string
		switch e := event.(type) {
		case botproto.Error:
			return fmt.Errorf("a bot is told %+v", e)
		case botproto.Match:
			v, err := rules.ParseVariant(e.Variant)
			if err != nil {
				return err
			}
			begun, position, moves, turn = e, v.Start(), e.Moves, e.Turn
			h.add(&h.waits, time.Since(began))
		case botproto.Move:
			moves, turn = []string{e.Move}, e.Turn
			if e.Seat != begun.Seat {
				h.answered(e)
			}
		case botproto.End:
			told = append(told, fmt.Sprint(e.Winner, e.Reason))
			if err := bot.Send(botproto.Request{Do: botproto.DoLeave, Match: begun.Match}); err != nil {
				return err
			}
			return h.compare(begun.Match, strings.Join(told, " "), position)
		default:
			continue
		}
		for _, text := range moves {
			move, err := position.Variant().ParseMove(text)
			if err == nil {
				position, err = position.Play(move)
			}
			if err != nil {
				return err
			}
			told = append(told, text)
		}
		if turn == rules.NoSide || turn != begun.Seat {
			continue
		}
		legal := position.LegalMoves()
		move := position.Variant().FormatMove(legal[chance.IntN(len(legal))])
		h.mu.Lock()
		h.sent[fmt.Sprint(begun.Match, len(told)+1)] = time.Now()
		h.mu.Unlock()
		if err := bot.Send(botproto.Request{Do: botproto.DoMove, Match: begun.Match, Move: move}); err != nil {
			return err
		}
	}
	return fmt.Errorf("a bot's session has ended")
}

func (h *hall) add(to *[]time.Duration, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*to = append(*to, d)
}

// answered counts the time from a move to its event at the other seat.
func (h *hall) answered(e botproto.Move) {
	h.mu.Lock()
	sent := h.sent[fmt.Sprint(e.Match, e.Ply)]
	h.mu.Unlock()
	h.add(&h.delays, time.Since(sent))
}

// compare fails unless both seats were told the same, and an end that follows from the moves.
func (h *hall) compare(id match.ID, told string, p rules.Position) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves += len(strings.Fields(told)) - 1
	first, isSecond := h.played[id]
	if delete(h.played, id); !isSecond {
		h.played[id] = told
	}
	if outcome := p.Outcome(); isSecond && first != told || !outcome.IsOver() ||
		!strings.HasSuffix(told, fmt.Sprint(outcome.Winner, outcome.Reason.String())) {
		return fmt.Errorf("match %s: one seat is told %s, the other %s", id, told, first)
	}
	return nil
}
