package rig

import (
	"testing"
	"time"
)

func TestQuantiles(t *testing.T) {
	var few, many Times
	for n := range 1000 {
		if n < 10 {
			few = append(few, time.Duration(n))
		}
		many = append(many, time.Duration(n))
	}
	if few.Tail() != 8 || many.Tail() != 990 || (Times{7}).Tail() != 7 || (Times)(nil).Tail() != 0 {
		t.Errorf("%d, %d, %d, %d", few.Tail(), many.Tail(), Times{7}.Tail(), Times(nil).Tail())
	}
	if got := [...]time.Duration{many.Quantile(0), many.Quantile(0.5), many.Quantile(0.99), many.Quantile(1)}; got !=
		[...]time.Duration{0, 500, 990, 999} {
		t.Errorf("the quantiles are %d", got)
	}
}
