package limit

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// Each of thousands of addresses could try twenty wrong codes, so that all codes could be tried in seconds.
func TestWrongCodesAreLimitedForAllTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, received := NewAttempts(CodeRate), 0
		for address := range 1000 {
			who := []Account{{"player" + strconv.Itoa(address), 1}, {"address" + strconv.Itoa(address), 1}}
			for range freeTries {
				if tries.Allows(time.Now(), who) {
					received++
					tries.Charge(time.Now(), who)
					tries.ChargeAll(time.Now())
				}
			}
		}
		if most := 1000 + 10*CodeRate; received > most {
			t.Errorf("%d wrong codes of 1,000 addresses were heard at once, %d may be", received, most)
		}
		if !tries.Allows(time.Now(), []Account{{"new", 1}, {"elsewhere", 1}}) {
			t.Error("a player who has tried nothing is not heard")
		}
	})
}

// A network whose every address tries once had no limit once the limit of all players was used up.
func TestALargeNetworkTriesNoMoreThanItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, received := NewAttempts(CodeRate), 0
		const most = NetworkFactor * NetworkFactor * addressShare // multiple of one address's limit
		for i := range 60 * 100 {                                 // a minute at a hundred a second
			address := strconv.Itoa(i)
			who := []Account{
				{"player" + address, 1}, {"64 " + address, 1},
				{"56 " + strconv.Itoa(i%256), NetworkFactor}, {"48", NetworkFactor * NetworkFactor},
			}
			if tries.Allows(time.Now(), who) {
				received++
				tries.Charge(time.Now(), who)
				tries.ChargeAll(time.Now())
			}
			<-time.After(10 * time.Millisecond)
		}
		if limit := most*freeTries + int(time.Minute/tryInterval)*most; received > limit {
			t.Errorf("%d wrong codes of one network were heard in a minute, %d may be", received, limit)
		}
	})
}

// A player at the same address as one who tries codes had no tries left.
func TestNeighboursOfAGuesserMayTryCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, address := NewAttempts(CodeRate), Account{"address", 1}
		for range 20 * 60 { // one every 50 ms
			if who := []Account{{"mallory", 1}, address}; tries.Allows(time.Now(), who) {
				tries.Charge(time.Now(), who)
				tries.ChargeAll(time.Now())
			}
			<-time.After(50 * time.Millisecond)
		}
		if !tries.Allows(time.Now(), []Account{{"ann", 1}, address}) {
			t.Error("the neighbour is not heard")
		}
	})
}

// While all tries together are used up, an address whose only try was long ago is new, and one that has just made
// twenty is not.
func TestOnlyAddressesWithoutATryPassWhenAllAreUsedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		address := Account{"address", 1}
		for _, c := range []struct {
			count int
			pause time.Duration
			want  bool
		}{{1, time.Hour, true}, {freeTries, 0, false}} {
			tries := NewAttempts(CodeRate)
			for range c.count {
				tries.Charge(time.Now(), []Account{{"mallory", 1}, address})
			}
			<-time.After(c.pause)
			for range 10 * CodeRate {
				tries.ChargeAll(time.Now())
			}
			if got := tries.Allows(time.Now(), []Account{{"ann", 1}, address}); got != c.want {
				t.Errorf("after %d tries and %v: allowed %t, want %t", c.count, c.pause, got, c.want)
			}
		}
	})
}

// grinders returns players of one address who have started nothing yet.
func grinders(n int) [][]Account {
	all := make([][]Account, n)
	for i := range all {
		all[i] = []Account{{"grinder" + strconv.Itoa(i), 1}, {"address", 1}}
	}
	return all
}

// A player at the address of others who start match after match could start none: the address had used up its limit.
func TestPlayersBeginMatchesBesideGrinders(t *testing.T) {
	for name, c := range map[string]struct {
		rate, grinders int
		every, during  time.Duration
		isNew          bool // a new one each time, as a guest is
	}{
		"as someone new":     {rate: 60, grinders: 10, every: 300 * time.Millisecond, during: 20 * time.Second, isNew: true},
		"again and again":    {rate: 600, grinders: 100, every: 15 * time.Second, during: 10 * time.Minute},
		"at a small address": {rate: 10, grinders: 20, every: time.Minute, during: 10 * time.Minute, isNew: true},
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
						if pace.TryCharge(time.Now(), []Account{{player, 1}, {"address", 1}}) {
							begun++
						}
					}
				}
				if 10*begun < 9*asked {
					t.Errorf("began %d of %d matches", begun, asked)
				}
				if most := freeMinutes*c.rate + int(c.during.Minutes()*float64(c.rate)) + 1; all+begun > most {
					t.Errorf("%d matches begun, over %d", all+begun, most)
				}
			})
		})
	}
}

// A single player at an address may start all that the address may in the long run, and more than half of it at once.
func TestAPlayerAloneBeginsAsManyAsTheAddressMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perMinute, minutes = 60, 10
		pace, begun := NewStarts(perMinute), 0
		for range ticks(minutes * time.Minute) {
			for pace.TryCharge(time.Now(), grinders(1)[0]) {
				begun++
			}
		}
		if least := (freeMinutes/2 + minutes) * perMinute; begun < least {
			t.Errorf("%d matches begun, not %d", begun, least)
		}
	})
}

// ticks yields the time since its start every 100 ms of the bubble.
func ticks(during time.Duration) func(yield func(time.Duration) bool) {
	return func(yield func(time.Duration) bool) {
		const tick = 100 * time.Millisecond
		for now := time.Duration(0); now < during && yield(now); now += tick {
			<-time.After(tick)
		}
	}
}
