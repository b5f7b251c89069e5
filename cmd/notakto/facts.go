package main

import (
	"errors"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// facts returns what the status tells of the server.
func (h *app) facts(s *settings) facts {
	version := ownVersion()
	version.Node = h.store.Stats().Node
	return facts{
		checks: func() []check { return h.checks(s.cluster.Listen != "") },
		alive:  h.store.Stats().Alive, version: version,
	}
}

// checks returns what readiness depends on: that events can be recorded, and that the server does not stop. That the
// history has read all finished matches is told, and is no reason to send players elsewhere.
func (h *app) checks(inCluster bool) []check {
	err := h.manager.Ready()
	draining := check{name: "draining", note: "no"}
	if errors.Is(err, match.ErrDraining) {
		return []check{{name: draining.name, err: err}}
	}
	part, cause := natsd.PartOf(err)
	var all []check
	for _, name := range []string{natsd.JournalPart, natsd.ClusterPart, natsd.DiskPart} {
		switch c := (check{name: name}); {
		case err != nil && name == part:
			c.err = cause
			all = append(all, c)
		case name == natsd.ClusterPart && !inCluster:
		default:
			all = append(all, c)
		}
	}
	return append(all, check{name: "history", note: h.historyState()}, draining)
}

// historyState says how far the history is.
func (h *app) historyState() string {
	if h.history == nil {
		return "none until the next start"
	}
	select {
	case <-h.history.Current():
		return "ok"
	default:
		return "still reads finished matches"
	}
}
