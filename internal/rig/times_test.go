package rig

import (
	"testing"
	"time"
)

func TestTailLeavesTheSlowestOut(t *testing.T) {
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
}
