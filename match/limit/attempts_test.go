package limit

import (
	"net/netip"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

// guesser returns the payers of a new guest at an address.
func guesser(guest int, address netip.Addr) []Payer {
	return PlayerPayers(match.PlayerID("guest"+strconv.Itoa(guest)), []string{netip.PrefixFrom(address, 32).String()})
}

// tryWrongCode reports whether a player may try a code, and whether the try counts for all players. It charges the try.
func tryWrongCode(a *Attempts, who []Payer) (allowed, isCommon bool) {
	if allowed = a.Allows(time.Now(), who); allowed {
		a.Charge(time.Now(), who)
		isCommon = a.ChargeAll(time.Now(), who)
	}
	return allowed, isCommon
}

// Three thousand addresses, each with a new guest and a code every three seconds, once tried 57,887 codes in a minute
// and entered 4 of 10 private tables.
func TestThousandsOfPatientAddressesFindNoCode(t *testing.T) {
	const addresses, codes, tables = 3000, 14 * 18 * 18 * 18 * 18 * 18, 10
	address := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 1, byte(i / 250), byte(i % 250)}) }
	synctest.Test(t, func(t *testing.T) {
		tries, heard, looked, joined := NewAttempts(CodeRate), 0, 0, 0
		const minute = int(time.Minute / tryInterval)
		for round := range minute {
			for i := range addresses {
				allowed, isCommon := tryWrongCode(tries, guesser(round*addresses+i, address(i)))
				if allowed {
					looked++
				}
				if isCommon {
					heard++
				}
				<-time.After(tryInterval / addresses)
			}
			if tries.Allows(time.Now(), guesser(-1, address(addresses))) { // a neighbour of the attackers
				joined++
			}
		}
		if heard > 40*60 || looked*tables*100 > codes {
			t.Errorf("%d wrong codes are answered in a minute, and %d looked up", heard, looked)
		}
		if joined < minute {
			t.Errorf("a guest with a right code gets in %d times of %d", joined, minute)
		}
	})
}

// While attackers use up the tries of all, a player may still mistype a code a few times.
func TestAPlayerMayMistypeACodeDuringAnAttack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := NewAttempts(CodeRate)
		exhaust := func() {
			for i := range 100 * CodeRate {
				tryWrongCode(tries, guesser(i, netip.AddrFrom4([4]byte{10, 1, byte(i), 1})))
			}
		}
		ann := guesser(-1, netip.AddrFrom4([4]byte{192, 168, 1, 1}))
		exhaust()
		for n := range spareTries {
			if allowed, _ := tryWrongCode(tries, ann); !allowed {
				t.Fatalf("try %d is refused", n)
			}
		}
		if tries.Allows(time.Now(), ann) {
			t.Error("further tries are heard")
		}
		<-time.After(10 * time.Minute)
		if exhaust(); !tries.Allows(time.Now(), ann) {
			t.Error("ten minutes later, the player is refused")
		}
	})
}
