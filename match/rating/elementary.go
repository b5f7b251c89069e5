package rating

import "math"

// mul returns x*y, rounded. No other product stands in this package. The conversion forbids the compiler to fuse the
// product with a sum, because a fused sum has other digits.
func mul(x, y float64) float64 { return float64(x * y) }

func square(x float64) float64 { return mul(x, x) }

// exp returns e to the power of x with a relative error below 1e-13. x must be between -700 and 700.
func exp(x float64) float64 {
	const terms = 18 // of the series in |r| <= ln(2)/2 (the rest is below 1e-24)
	k := math.Round(x / math.Ln2)
	r := x - mul(k, math.Ln2)
	sum := 1.0
	for n := terms; n > 0; n-- {
		sum = 1 + mul(sum, r)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}

// log returns the natural logarithm of x with an error below 1e-15 times |log2(x)| + 1. x must be positive and
// finite.
func log(x float64) float64 {
	const last = 25 // exponent of the series in |s| <= 0.172 (the rest is below 1e-20)
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction+fraction, exponent-1
	}
	s := (fraction - 1) / (fraction + 1) // log(fraction) = 2 artanh(s)
	sum := 0.0
	for k := last; k > 0; k -= 2 {
		sum = mul(sum, square(s)) + 1/float64(k)
	}
	return mul(float64(exponent), math.Ln2) + mul(s+s, sum)
}
