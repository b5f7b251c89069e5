package rating_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"notakto/match/rating"
)

func TestUpdate(t *testing.T) {
	fresh := rating.New()
	veteran := rating.Rating{Points: 1_700_000, Deviation: 60_000, Volatility: 60_000, Pairs: 50}
	for _, test := range []struct {
		name          string
		first, second rating.Rating
		result        rating.Result
		want          [2]string
	}{
		{"two new players", fresh, fresh, rating.Won, [2]string{"1662? ± 290, 1 pairs", "1338? ± 290, 1 pairs"}},
		{"a split of equals", fresh, fresh, rating.Split, [2]string{"1500? ± 290, 1 pairs", "1500? ± 290, 1 pairs"}},
		{"an upset", fresh, veteran, rating.Won, [2]string{"1804? ± 267, 1 pairs", "1691 ± 60, 51 pairs"}},
		{"what was expected", veteran, fresh, rating.Won, [2]string{"1704 ± 60, 51 pairs", "1402? ± 267, 1 pairs"}},
		{"a split", veteran, fresh, rating.Split, [2]string{"1697 ± 60, 51 pairs", "1603? ± 267, 1 pairs"}},
		{"no result", veteran, fresh, rating.Won + 1, [2]string{"1700 ± 60, 50 pairs", "1500? ± 350, 0 pairs"}},
	} {
		first, second := rating.Update(test.first, test.second, test.result)
		if got := [2]string{describe(first), describe(second)}; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func describe(r rating.Rating) string {
	return fmt.Sprintf("%v ± %d, %d pairs", r, r.WholeDeviation(), r.Pairs)
}

func TestProvisionalAndListed(t *testing.T) {
	for _, test := range []struct {
		deviation, pairs    int
		provisional, listed bool
	}{
		{350_000, 0, true, false},
		{110_000, 20, true, false},
		{109_999, 20, false, false},
		{75_001, 20, false, false},
		{75_000, 7, false, false},
		{75_000, 8, false, true},
	} {
		r := rating.New()
		r.Deviation, r.Pairs = test.deviation, test.pairs
		if r.IsProvisional() != test.provisional || r.IsListed() != test.listed {
			t.Errorf("%+v: provisional %v, listed %v", r, r.IsProvisional(), r.IsListed())
		}
	}
}

func TestAfter(t *testing.T) {
	const year = 365 * 24 * time.Hour
	active := rating.Rating{Points: 1_600_000, Deviation: 60_000, Volatility: 60_000, Pairs: 30}
	for idle, want := range map[time.Duration]int{
		-time.Hour: 60_000, 0: 60_000, time.Minute: 60_000, rating.Period: 60_899, year: 109_987, 100 * year: 350_000,
	} {
		got := active.AfterIdle(idle)
		if got.Deviation != want {
			t.Errorf("after %v the deviation is %d, want %d", idle, got.Deviation, want)
		}
		if got.Deviation = active.Deviation; got != active {
			t.Errorf("after %v more than the deviation has changed: %+v", idle, got)
		}
	}
}

// A player with many pairs is listed, and results still count.
func TestAfterManyPairs(t *testing.T) {
	player, opponent := rating.New(), rating.Rating{Points: 1_500_000, Deviation: 60_000, Volatility: 60_000, Pairs: 50}
	for i := range 200 {
		player, _ = rating.Update(player, opponent, rating.Result(2*(i%2)))
	}
	won, _ := rating.Update(player, opponent, rating.Won)
	if !player.IsListed() || player.Deviation != 45_000 || won.WholePoints()-player.WholePoints() < 5 {
		t.Errorf("%v (%s), and after a win %v", player, describe(player), won)
	}
}

// This history of 100,000 pairs among 100 players was computed with and without fused multiply-add, and in 32 bits.
func TestHistoryIsTheSame(t *testing.T) {
	const want = "0a669b50059da410ff5015d56553b54b2e97e869b2a6fb20833b7b06906320ef"
	source := rand.NewPCG(19, 1)
	ratings := make([]rating.Rating, 100)
	for i := range ratings {
		ratings[i] = rating.New()
	}
	for range 100_000 {
		i, j := int(source.Uint64()%100), int(source.Uint64()%99)
		if j >= i {
			j++
		}
		result := rating.Result(source.Uint64() % 3)
		if i < j && source.Uint64()%2 == 0 { // players have different skills
			result = rating.Won
		}
		idle := time.Duration(source.Uint64() % uint64(30*24*time.Hour))
		ratings[i], ratings[j] = rating.Update(ratings[i].AfterIdle(idle), ratings[j].AfterIdle(idle/2), result)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d", ratings))); got != want {
		t.Errorf("the history has the hash %s, want %s; the first: %d", got, want, ratings[:3])
	}
}

func FuzzUpdate(f *testing.F) {
	f.Add(1_500_000, 350_000, 60_000, 0, 1_700_000, 60_000, 60_000, 50, uint8(2), int64(time.Hour))
	f.Add(100_000, 45_000, 10_000, 9, 4_000_000, 350_000, 100_000, 1, uint8(2), int64(0))
	f.Add(0, 0, 0, 0, -1, -1, -1, -1, uint8(1), int64(-1))
	f.Add(1<<31-1, 1<<31-1, 1<<31-1, 0, 1_500_000, 45_000, 100_000, 1, uint8(0), int64(1<<63-1))
	f.Fuzz(func(t *testing.T, p1, d1, v1, n1, p2, d2, v2, n2 int, result uint8, idle int64) {
		first := rating.Rating{Points: p1, Deviation: d1, Volatility: v1, Pairs: n1}
		second := rating.Rating{Points: p2, Deviation: d2, Volatility: v2, Pairs: n2}.AfterIdle(time.Duration(idle))
		first, second = first.AfterIdle(0), second.AfterIdle(0) // in range
		for _, r := range [...]rating.Rating{first, second} {
			checkRange(t, r)
		}
		r := rating.Result(result % 3)
		a, b := rating.Update(first, second, r)
		checkRange(t, a)
		checkRange(t, b)
		if d, c := rating.Update(second, first, rating.Won-r); c != a || d != b {
			t.Errorf("seen from the other side: %+v and %+v, want %+v and %+v", c, d, a, b)
		}
		switch {
		case r == rating.Won && (a.Points < first.Points || b.Points > second.Points):
			t.Errorf("the winner goes from %+v to %+v, the loser from %+v to %+v", first, a, second, b)
		case r == rating.Split && first.Points <= second.Points && a.Points < first.Points:
			t.Errorf("the weaker player loses points by a split: %+v, %+v", first, a)
		case a.Deviation > first.Deviation || b.Deviation > second.Deviation:
			t.Errorf("a deviation has grown: %+v, %+v to %+v, %+v", first, second, a, b)
		case first.Points == second.Points && first.Deviation == second.Deviation && first.Volatility == second.Volatility &&
			a.Points-first.Points != second.Points-b.Points && inside(a) && inside(b):
			t.Errorf("equals win %d and lose %d", a.Points-first.Points, second.Points-b.Points)
		}
	})
}

func inside(r rating.Rating) bool { return r.Points > 100_000 && r.Points < 4_000_000 }

func checkRange(t *testing.T, r rating.Rating) {
	t.Helper()
	if r.Points < 100_000 || r.Points > 4_000_000 || r.Deviation < 45_000 || r.Deviation > 350_000 ||
		r.Volatility < 10_000 || r.Volatility > 100_000 || r.Pairs < 0 {
		t.Errorf("%+v is out of range", r)
	}
}

func ExampleUpdate() {
	ann, bob := rating.New(), rating.New()
	ann, bob = rating.Update(ann, bob, rating.Won)
	fmt.Println(ann, bob)
	ann, bob = rating.Update(ann.AfterIdle(24*time.Hour), bob.AfterIdle(24*time.Hour), rating.Split)
	fmt.Println(ann, bob)
	// Output:
	// 1662? 1338?
	// 1577? 1423?
}
