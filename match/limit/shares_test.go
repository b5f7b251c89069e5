package limit

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// grinders returns n players of one address that have started no match yet.
func grinders(n int) [][]Payer {
	all := make([][]Payer, n)
	for i := range all {
		all[i] = []Payer{{"grinder" + strconv.Itoa(i), 1}, {"address", 1}}
	}
	return all
}

// Otherwise players that start match after match use up the limit of their address.
func TestPlayersBeginMatchesBesideGrinders(t *testing.T) {
	for name, c := range map[string]struct {
		rate, grinders int
		every, during  time.Duration
		isNew          bool // a new player for each match, as guests are
	}{
		"as someone new":     {rate: 60, grinders: 10, every: 300 * time.Millisecond, during: 20 * time.Second, isNew: true},
		"again and again":    {rate: 600, grinders: 100, every: 15 * time.Second, during: 4 * time.Minute},
		"at a small address": {rate: 10, grinders: 20, every: time.Minute, during: 5 * time.Minute, isNew: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pace, grinders := NewStarts(c.rate), grinders(c.grinders)
				asked, begun, all := 0, 0, 0
				for now := range ticks(c.during) {
					for _, who := range grinders {
						for pace.TryCharge(time.Now(), who) {
							all++
						}
					}
					if now%c.every == 0 {
						asked++
						player := "ann"
						if c.isNew {
							player += strconv.Itoa(asked)
						}
						if pace.TryCharge(time.Now(), []Payer{{player, 1}, {"address", 1}}) {
							begun++
						}
					}
				}
				if 10*begun < 9*asked {
					t.Errorf("began %d of %d matches", begun, asked)
				}
				if most := burstMinutes*c.rate + int(c.during.Minutes()*float64(c.rate)) + 1; all+begun > most {
					t.Errorf("%d matches begun, over %d", all+begun, most)
				}
			})
		})
	}
}

// ticks yields the time since its start every 100 ms.
func ticks(during time.Duration) func(yield func(time.Duration) bool) {
	return func(yield func(time.Duration) bool) {
		const tick = 100 * time.Millisecond
		for now := time.Duration(0); now < during && yield(now); now += tick {
			<-time.After(tick)
		}
	}
}
