package rating

import (
	"math"
	"strconv"
	"time"
)

// Period is the time without play in which a deviation grows by one step of Glicko-2. With the volatility of a new
// player, a deviation of 60 grows to 110 in a year.
const Period = 112 * time.Hour

// What a listed and what a provisional rating is.
const (
	ListedPairs     = 8   // rated pairs, at least
	ListedDeviation = 75  // points, at most
	ProvisionalFrom = 110 // points of deviation
)

// The limits of a rating. Points and deviations are in thousandths of a point, volatilities in millionths.
const (
	minPoints, startPoints, maxPoints             = 100_000, 1_500_000, 4_000_000
	minDeviation, maxDeviation                    = 45_000, 350_000
	minVolatility, startVolatility, maxVolatility = 10_000, 60_000, 100_000
)

const tau = 0.75 // how fast volatility changes

// Rating is a player's strength, estimated from results. It is an immutable, comparable value. Start with [New]: the
// zero value is no rating. Functions take a field that is out of its range as the nearest value in the range.
type Rating struct {
	Points     int // thousandths of a point: 100,000 to 4,000,000
	Deviation  int // thousandths of a point: 45,000 (so that results always count) to 350,000
	Volatility int // millionths: 10,000 to 100,000
	Pairs      int // how many pairs were rated
}

// New returns the rating of a player without results.
func New() Rating {
	return Rating{Points: startPoints, Deviation: maxDeviation, Volatility: startVolatility}
}

// Result is the number of games of a pair that the first of two players won.
type Result uint8

// The results: 0, ½ and 1 for the rating.
const (
	Lost  Result = iota // both games
	Split               // one game each
	Won                 // both games
)

// String returns "lost", "split" or "won"; "?" for a value that is no result.
func (r Result) String() string {
	switch r {
	case Lost:
		return "lost"
	case Split:
		return "split"
	case Won:
		return "won"
	}
	return "?"
}

// Value returns the rating in whole points, as players see it.
func (r Rating) Value() int { return wholePoints(r.Points) }

// WholeDeviation returns the deviation in whole points, as players see it.
func (r Rating) WholeDeviation() int { return wholePoints(r.Deviation) }

func wholePoints(thousandths int) int { return int(math.Round(float64(thousandths) / 1000)) }

// Provisional reports whether the deviation is too large to tell much: it is at least [ProvisionalFrom].
func (r Rating) Provisional() bool { return r.Deviation >= ProvisionalFrom*1000 }

// Listed reports whether the rating is certain enough for a leaderboard: at least [ListedPairs] pairs and a deviation
// of at most [ListedDeviation].
func (r Rating) Listed() bool { return r.Pairs >= ListedPairs && r.Deviation <= ListedDeviation*1000 }

// String returns the whole points, and a question mark behind them if they are provisional: "1612", "1500?".
func (r Rating) String() string {
	if r.Provisional() {
		return strconv.Itoa(r.Value()) + "?"
	}
	return strconv.Itoa(r.Value())
}

// After returns the rating after a time without a rated pair. The deviation grows with the fraction of [Period], up to
// that of a new player. A negative time counts as none.
func (r Rating) After(idle time.Duration) Rating {
	r = r.inRange()
	periods := float64(max(idle, 0)) / float64(Period)
	before := r.glicko()
	grown := math.Sqrt(square(before.phi) + mul(periods, square(before.sigma)))
	r.Deviation = max(r.Deviation, rounded(grown, scale*1000))
	return r.inRange()
}

// Update returns the ratings of two players after a pair of games, from their ratings just before it (see
// [Rating.After]). The player with the better result loses no points, the other gains none, and no deviation grows. An
// invalid [Result] changes nothing.
func Update(first, second Rating, result Result) (Rating, Rating) {
	first, second = first.inRange(), second.inRange()
	if result > Won {
		return first, second
	}
	return first.against(second, result), second.against(first, Won-result)
}

func (r Rating) against(opponent Rating, result Result) Rating {
	other := opponent.glicko()
	results := []opposition{{mu: other.mu, phi: other.phi, score: float64(result) / 2}}
	after := r.glicko().update(results, 0, tau, maxVolatility/1e6)
	return Rating{
		Points:     startPoints + rounded(after.mu, scale*1000),
		Deviation:  rounded(after.phi, scale*1000),
		Volatility: rounded(after.sigma, 1e6),
		Pairs:      r.Pairs + 1,
	}.inRange()
}

func (r Rating) glicko() glicko {
	return glicko{
		mu:    float64(r.Points-startPoints) / (scale * 1000),
		phi:   float64(r.Deviation) / (scale * 1000),
		sigma: float64(r.Volatility) / 1e6,
	}
}

func (r Rating) inRange() Rating {
	return Rating{
		Points:     min(max(r.Points, minPoints), maxPoints),
		Deviation:  min(max(r.Deviation, minDeviation), maxDeviation),
		Volatility: min(max(r.Volatility, minVolatility), maxVolatility),
		Pairs:      max(r.Pairs, 0),
	}
}

// rounded returns the whole number nearest to x*unit.
func rounded(x, unit float64) int { return int(math.Round(mul(x, unit))) }
