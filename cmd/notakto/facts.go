package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/sshapp/admin"
	"notakto/sshapp/metrics"
)

// facts returns what the status tells of the server.
func (h *app) facts(s *settings) facts {
	version := version()
	version.Node = h.store.Stats().Node
	counts := new(logCounts)
	if log, ok := h.log.Handler().(logHandler); ok {
		counts = &log.queue.counts
	}
	return facts{
		checks: func() []check { return h.checks(s.cluster.Listen != "") },
		alive:  h.store.Stats().Alive, version: version,
		metrics: metrics.Handler(&metrics.Sources{
			Version: version.Version, Revision: version.Revision, Go: version.Go,
			Manager: h.manager.Stats, Lobby: h.manager.Lobby().Stats, Journal: h.store.Stats(), Server: h.server.Stats,
			Panics: counts.panics.Load, DroppedLines: counts.dropped.Load,
			Reload: func() (bool, time.Time) { return !h.reloads.failed.Load(), time.Unix(h.reloads.at.Load(), 0) },
		}),
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

// standing returns what systemctl status shows of the server.
func (h *app) standing() string {
	var sessions, matches int64
	for _, f := range h.server.Stats.FrontEnds {
		sessions += f.Active.Load()
	}
	for kind, n := range h.manager.Stats.Active.All() {
		if kind.State == "playing" {
			matches += n
		}
	}
	return fmt.Sprintf("sessions: %d, matches being played: %d", sessions, matches)
}

// Checks implements [admin.Process].
func (p process) Checks() (all []admin.Check) {
	for _, c := range p.checks(p.inCluster) {
		one := admin.Check{Name: c.name, OK: c.err == nil, Text: cmp.Or(c.note, "ok")}
		if c.err != nil {
			one.Text = c.err.Error()
		}
		all = append(all, one)
	}
	return all
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
