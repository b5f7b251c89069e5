package main

import (
	"os"
	"path/filepath"
)

// profile has the server write a heap profile, or begin a CPU profile of what is named, or end it if what is empty; it
// does nothing if no profiles are wanted.
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
