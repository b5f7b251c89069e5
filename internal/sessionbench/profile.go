package main

import (
	"os"
	"path/filepath"
)

// profile makes the server write a heap profile, or start a CPU profile named what, or end it if what is empty; it does
// nothing without a directory for profiles.
func (t *trial) profile(kind, what string) error {
	if t.options.Profiles == "" {
		return nil
	}
	if what == "" {
		_, err := t.server.ask(kind)
		return err
	}
	directory, err := filepath.Abs(t.options.Profiles)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o750); err != nil {
		return err
	}
	_, err = t.server.ask(kind + " " + filepath.Join(directory, t.contender.name+"."+what+".pprof"))
	return err
}
