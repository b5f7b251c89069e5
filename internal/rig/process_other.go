//go:build !linux

package rig

// Figures returns zeros, because only Linux has them.
func (Process) Figures() (f Figures) { return f }

// ResetPeak does nothing.
func (Process) ResetPeak() {}
