package manager

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// For a while moves could not be recorded, but entries could: the nodes considered each other healthy, and a player who
// could not return lost.
func TestTimeInWhichNoMoveIsRecordedIsChargedToNoPlayer(t *testing.T) {
	j, log := newUnruly(), new(logBook)
	inBubble(t, Config{Journal: j, Grace: 30 * time.Second, Log: log.logger()}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		pass(time.Minute)
		one.Close()
		const before, outage = 5 * time.Second, 30 * time.Second
		pass(before)
		resume := j.stop()
		pass(outage)
		resume()
		pass(30*time.Second - before - time.Second)
		checkGoesOn(b, one.ID())
		pass(before + 2*heartbeatInterval)
		if s := replay(b.T, j, one.ID()); s.Outcome.Reason != rules.Abandoned {
			b.Errorf("the match goes on: %+v", s.Outcome)
		}
		if text := log.String(); strings.Count(text, "charged to no player") != 1 ||
			!strings.Contains(text, "not_charged_ms=3") {
			b.Errorf("the log says:\n%s", text)
		}
	})
}

// A node that is cut off notifies its players, seated and waiting, refuses new matches at once, and notifies them again
// when it recovers.
func TestCutOffNodeSaysSo(t *testing.T) {
	j, log := &mortal{journal: newUnruly()}, new(logBook)
	inBubble(t, Config{Journal: j, Log: log.logger()}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		seek, err := b.Lobby().Seek(b.Context(), cleo(), match.DefaultTerms())
		b.must(err)
		pass(time.Minute)
		b.sees(one)
		<-seek.Status()
		b.must(b.Ready())

		j.dead.Store(true)
		pass(heartbeatInterval)
		if err := b.Ready(); !errors.Is(err, match.ErrUnavailable) {
			b.Errorf("after one pulse it is ready: %v", err)
		}
		pass(cutOffAfter)
		if s := b.sees(one); !s.CutOff {
			b.Error("who sits there is not told")
		}
		synctest.Wait()
		if status := <-seek.Status(); !status.CutOff || status.Match != "" {
			b.Errorf("who waits there is told %+v", status)
		}
		checkRefuses(b, match.ErrUnavailable)

		j.dead.Store(false)
		pass(heartbeatInterval)
		if s := b.sees(one); s.CutOff {
			b.Error("who sits there is not told that it is over")
		}
		if status := <-seek.Status(); status.CutOff {
			b.Errorf("who waits there is told %+v", status)
		}
		checkRefuses(b, nil)
		b.must(b.Ready())
		for _, line := range []string{"cannot record anything", "can record again"} {
			if n := strings.Count(log.String(), line); n != 1 {
				b.Errorf("%d lines say %q:\n%s", n, line, log.String())
			}
		}
	})
}

// checkRefuses checks the error of every way to open a match. It must not take any time.
func checkRefuses(b *harness, want error) {
	b.Helper()
	began := time.Now()
	_, errPlay := b.Play(b.Context(), guy(), match.DefaultTerms(), 1, rules.First)
	_, _, errPrivate := b.OpenPrivate(b.Context(), guy(), match.DefaultTerms())
	seek, errSeek := b.Lobby().Seek(b.Context(), guy(), match.Terms{Variant: boards(b.T, 5)})
	if errSeek == nil {
		seek.Cancel()
	}
	for _, err := range []error{errPlay, errPrivate, errSeek} {
		if !errors.Is(err, want) || want == nil && err != nil {
			b.Errorf("refused by %v, want %v", err, want)
		}
	}
	if took := time.Since(began); took > 0 {
		b.Errorf("that took %v", took)
	}
}

// A short interruption, such as the election of a leader, ends before players are notified.
func TestShortTroubleIsNotReported(t *testing.T) {
	j := &mortal{journal: newUnruly()}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		pass(time.Minute)
		b.sees(one)
		j.dead.Store(true)
		pass(cutOffAfter - heartbeatInterval)
		j.dead.Store(false)
		pass(heartbeatInterval)
		b.seesNothing(one)
	})
}

func TestDrainingNodeIsNotReady(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.must(b.Ready())
		b.Drain()
		if err := b.Ready(); !errors.Is(err, match.ErrDraining) {
			b.Errorf("it is ready: %v", err)
		}
	})
}

// silentRegistry is a journal that loses its answer to the next put.
type silentRegistry struct {
	*match.Memory
	lose atomic.Bool
}

func (j *silentRegistry) Put(ctx context.Context, n match.Entry) (match.Entry, error) {
	stored, err := j.Memory.Put(ctx, n)
	if j.lose.Swap(false) {
		return match.Entry{}, errTrouble
	}
	return stored, err
}

// A heartbeat that was stored without an answer counts. The node could not renew it until it had expired.
func TestUnansweredSignOfLifeIsRenewed(t *testing.T) {
	j := &silentRegistry{Memory: match.NewMemory(0)}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		pass(time.Minute)
		j.lose.Store(true)
		pass(heartbeatInterval)
		pass(heartbeatInterval)
		b.must(b.Ready())
		if steady := b.tables.membership.stableSince(b.Now()); !steady.IsZero() {
			b.Errorf("there was a gap until %v", steady)
		}
	})
}
