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
			for range FreeTries {
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
		const most = NetworkFactor * NetworkFactor * AddressShare // multiple of one address's limit
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
		if limit := most*FreeTries + int(time.Minute/TryInterval)*most; received > limit {
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
