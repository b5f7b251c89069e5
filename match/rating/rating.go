package rating

import (
	"math"
	"strconv"
	"time"
)

// Period is the time without play that lets a deviation grow by one step of Glicko-2. With the volatility of a new
// player, a deviation of 60 grows to 110 in a year.
const Period = 112 * time.Hour

// Limits of a listed and of a provisional rating.
const (
	ListedPairs     = 8   // rated pairs, at least
	ListedDeviation = 75  // points, at most
	ProvisionalFrom = 110 // points of deviation, at least
)

// Limits of a rating. Points and deviations are in thousandths of a point, volatilities in millionths.
const (
	minPoints, startPoints, maxPoints             = 100_000, 1_500_000, 4_000_000
	minDeviation, maxDeviation                    = 45_000, 350_000
	minVolatility, startVolatility, maxVolatility = 10_000, 60_000, 100_000
)

const tau = 0.75 // Glicko-2's constraint on the change of volatility

// Rating is a player's strength, estimated from results. Ratings are immutable and comparable. Start with [New],
// because the zero value is no rating. A field out of its range counts as the nearest value in the range.
type Rating struct {
	Points     int // thousandths of a point: 100,000 to 4,000,000
	Deviation  int // thousandths of a point: 45,000 (or new results would hardly count) to 350,000
	Volatility int // millionths: 10,000 to 100,000
	Pairs      int // number of rated pairs
}

// New returns the rating of a player without results.
func New() Rating {
	return Rating{Points: startPoints, Deviation: maxDeviation, Volatility: startVolatility}
}

// Result is the number of games of a pair that the first of two players won. For the rating it counts half, that is 0,
// ½ or 1.
type Result uint8

// The results of a pair.
const (
	Lost  Result = iota // both games
	Split               // one game each
	Won                 // both games
)

// String returns "lost", "split" or "won", or "?" for an invalid value.
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

// WholePoints returns the rating in whole points, as players see it.
func (r Rating) WholePoints() int { return wholePoints(r.Points) }

// WholeDeviation returns the deviation in whole points, as players see it.
func (r Rating) WholeDeviation() int { return wholePoints(r.Deviation) }

func wholePoints(thousandths int) int { return int(math.Round(float64(thousandths) / 1000)) }

// IsProvisional reports whether the deviation is at least [ProvisionalFrom], too large to tell much.
func (r Rating) IsProvisional() bool { return r.Deviation >= ProvisionalFrom*1000 }

// IsListed reports whether the rating is certain enough for a leaderboard, by [ListedPairs] and [ListedDeviation].
func (r Rating) IsListed() bool { return r.Pairs >= ListedPairs && r.Deviation <= ListedDeviation*1000 }

// String returns the whole points, with a question mark if the rating is provisional: "1612", "1500?".
func (r Rating) String() string {
	if r.IsProvisional() {
		return strconv.Itoa(r.WholePoints()) + "?"
	}
	return strconv.Itoa(r.WholePoints())
}

// AfterIdle returns the rating after a time without a rated pair. The deviation grows with the fraction of [Period], up
// to that of a new player. A negative time counts as 0.
func (r Rating) AfterIdle(idle time.Duration) Rating {
	r = r.inRange()
	periods := float64(max(idle, 0)) / float64(Period)
	before := r.glicko()
	grown := math.Sqrt(square(before.phi) + mul(periods, square(before.sigma)))
	r.Deviation = max(r.Deviation, rounded(grown, scale*1000))
	return r.inRange()
}

// Update returns the ratings of two players after a pair of games. The arguments are the ratings just before the
// pair (see [Rating.AfterIdle]). The player with the better result loses no points, the opponent gains no points, and
// no deviation grows. An invalid [Result] has no effect.
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

func rounded(x, unit float64) int { return int(math.Round(mul(x, unit))) }
