package sshapp

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const (
	crowd        = 500  // bots at once
	crowdMatches = 5000 // that they play
	crowdTime    = 4 * time.Minute
)

// BenchmarkBots is a crowd of bots, each a player with a key and a connection of its own, that meet in the queue and
// play matches to their ends without a pause. Every match has to be the same at both seats. The clients share the
// process and its cores with the server, so that the figures are of both. One operation is all the matches.
func BenchmarkBots(b *testing.B) {
	h := startServer(b, func(o *options) { o.MaxSessionsPerAddress = crowd })
	bots := make([]*crowdBot, crowd)
	for i := range bots {
		bots[i] = newCrowdBot(b, h.dial(fmt.Sprintf("bot%d", i), crowdKey(b, i)), uint64(i))
	}
	hall := new(hall)
	for b.Loop() {
		hall.tickets.Store(0)
		hall.playAll(b, h, bots)
	}
	moves, delays := hall.check(b)
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(len(hall.seats)/2), "matches")
	waits := make([]time.Duration, len(hall.seats))
	for i, seat := range hall.seats {
		waits[i] = seat.wait
	}
	slices.Sort(waits)
	b.ReportMetric(percentile(waits, 50), "queue-p50-ms")
	b.ReportMetric(percentile(delays, 50), "p50-ms")
	b.ReportMetric(percentile(delays, 99), "p99-ms")
	b.ReportMetric(0, "ns/op") // says nothing here
}

func crowdKey(b *testing.B, number int) gossh.Signer {
	b.Helper()
	seed := binary.BigEndian.AppendUint64(make([]byte, ed25519.SeedSize-8), uint64(number)+1)
	signer, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		b.Fatal(err)
	}
	return signer
}

// percentile is one of durations that are sorted, in milliseconds.
func percentile(sorted []time.Duration, percent int) float64 {
	return float64(sorted[len(sorted)*percent/100]) / float64(time.Millisecond)
}

// hall is where the bots take tickets and hand in what they were told.
type hall struct {
	tickets atomic.Int64
	mu      sync.Mutex
	seats   []*seatLog
}

// ticket is a place at a match yet to be played, and its variant; every match has two. The bot that takes the
// second one joins the bot that waits in the queue, so that no bot is left over.
func (hall *hall) ticket() (boards int64, more bool) {
	n := hall.tickets.Add(1) - 1
	return n/2%3 + 1, n < 2*crowdMatches
}

// playAll has the bots play until there are no tickets left.
func (hall *hall) playAll(b *testing.B, h *testServer, bots []*crowdBot) {
	b.Helper()
	ended := make(chan error, len(bots))
	for _, bot := range bots {
		go func() { ended <- hall.playOn(bot) }()
	}
	late := time.After(crowdTime)
	for range bots {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%v\n%s", err, h.log)
			}
		case <-late:
			b.Fatalf("the matches did not end within %v; %d seats have", crowdTime, hall.done())
		}
	}
}

func (hall *hall) playOn(bot *crowdBot) error {
	for {
		boards, more := hall.ticket()
		if !more {
			return nil
		}
		seat, err := bot.play(fmt.Sprintf("notakto/%d", boards))
		if err != nil {
			return err
		}
		hall.mu.Lock()
		hall.seats = append(hall.seats, seat)
		hall.mu.Unlock()
	}
}

func (hall *hall) done() int {
	hall.mu.Lock()
	defer hall.mu.Unlock()
	return len(hall.seats)
}

// check compares the two seats of every match. It returns the number of moves, and for each how long it took to the
// other seat.
func (hall *hall) check(b *testing.B) (moves int, delays []time.Duration) {
	b.Helper()
	waiting := make(map[string]*seatLog)
	for _, seat := range hall.seats {
		other := waiting[seat.match]
		if other == nil {
			waiting[seat.match] = seat
			continue
		}
		delete(waiting, seat.match)
		if err := seat.differs(other); err != nil {
			b.Error(err)
		}
		moves += len(seat.moves)
		delays = append(delays, append(seat.delays(other), other.delays(seat)...)...)
	}
	if len(waiting) != 0 || len(hall.seats) == 0 || len(hall.seats)%(2*crowdMatches) != 0 || moves != len(delays) {
		b.Fatalf("%d seats, %d of them without another; %d moves, %d of them timed", len(hall.seats), len(waiting),
			moves, len(delays))
	}
	slices.Sort(delays)
	return moves, delays
}
