package rating

import "math"

// scale is the number of points in one unit of Glicko-2.
const scale = 173.7178

// glicko is a rating in the units of Glicko-2.
type glicko struct{ mu, phi, sigma float64 }

// opposition is one result of a period, with the opponent's rating.
type opposition struct {
	mu, phi float64
	score   float64 // 0 to 1
}

// update returns the rating after one period with at least one result. The deviation first grows by the given number
// of periods, as in step 6 of Glickman's paper.
func (r glicko) update(results []opposition, periods, tau, maxSigma float64) glicko {
	information, surplus := 0.0, 0.0 // 1/v and delta/v of the paper
	for _, o := range results {
		g := 1 / math.Sqrt(1+mul(square(o.phi), 3/math.Pi/math.Pi))
		expected := 1 / (1 + exp(mul(g, o.mu-r.mu)))
		information += mul(square(g), mul(expected, 1-expected))
		surplus += mul(g, o.score-expected)
	}
	v := 1 / information
	r.sigma = min(r.volatility(mul(v, surplus), v, tau), maxSigma)
	r.phi = 1 / math.Sqrt(1/(square(r.phi)+mul(periods, square(r.sigma)))+information)
	r.mu += mul(square(r.phi), surplus)
	return r
}

// volatility returns the new volatility by the Illinois algorithm, step 5 of Glickman's paper. A limit of steps
// gives a result for every input.
func (r glicko) volatility(delta, v, tau float64) float64 {
	const (
		tolerance = 1e-9
		maxSteps  = 200
	)
	variance := square(r.phi) + v
	start := log(square(r.sigma))
	f := func(x float64) float64 {
		e := exp(x)
		below := variance + e
		return mul(e, square(delta)-below)/mul(2, square(below)) - (x-start)/square(tau)
	}
	a, b := start, start-tau
	if excess := square(delta) - variance; excess > 0 {
		b = log(excess)
	} else {
		for range maxSteps {
			if f(b) >= 0 {
				break
			}
			b -= tau
		}
	}
	fa, fb := f(a), f(b)
	for range maxSteps {
		if math.Abs(b-a) <= tolerance || fa == fb {
			break
		}
		c := a + mul(a-b, fa)/(fb-fa)
		fc := f(c)
		if mul(fc, fb) <= 0 {
			a, fa = b, fb
		} else {
			fa /= 2
		}
		b, fb = c, fc
	}
	return exp(a / 2)
}
