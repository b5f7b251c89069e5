package main

import (
	"testing"

	"notakto/internal/overlay"
)

// With a different standard library no program with a shifted clock could be built.
func TestTheClockCanBeShifted(t *testing.T) {
	if _, err := overlay.Write(t.Context(), t.TempDir(), clockChanges[:]...); err != nil {
		t.Error(err)
	}
}
