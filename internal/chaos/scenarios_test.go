package main

import (
	"testing"

	"notakto/internal/rig"
	"notakto/internal/testkit"
)

// clockChanges must fit the installed version of the standard library.
func TestTheClockCanBeShifted(t *testing.T) {
	_, err := rig.Overlay(t.Context(), t.TempDir(), clockChanges[:]...)
	testkit.OK(t, err)
}
