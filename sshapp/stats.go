package sshapp

import (
	"sync/atomic"
	"time"

	"notakto/match/limit"
	"notakto/match/stats"
)

// Stats holds the figures of a server for monitors.
type Stats struct {
	Accepted   atomic.Uint64        // connections
	Conns      stats.Counts[string] // open ones, by one of [ConnStages]
	Handshakes *stats.Histogram     // from the connection to the login
	Logins     stats.Counts[string] // by [LoginKey], [LoginGuest]
	Rejected   *stats.Counts[limit.Reason]
	Sessions   *limit.SessionStats
	FrontEnds  map[string]*FrontEndStats // not to be modified
	KeyToFrame *stats.Histogram          // from a key on the full screen to the frame with its effect
	Admin      stats.Counts[AdminCommand]
}

// FrontEndStats holds the figures of one front end's sessions for monitors.
type FrontEndStats struct {
	Name     string
	Active   atomic.Int64
	Started  atomic.Uint64
	Duration *stats.Histogram
	Ends     stats.Counts[string] // by one of [EndReasons]
	In, Out  atomic.Uint64        // bytes
}

// AdminCommand is a command of administrators, such as "ban add", with its status ok, failed or refused.
type AdminCommand struct{ Command, Status string }

// Names of front ends in the log and in metrics.
const (
	frontEndScreen  = "screen"
	frontEndPlain   = "plain"
	frontEndBot     = "bot"
	frontEndCommand = "command"
)

// LoginKey and LoginGuest are the ways to log in.
const (
	LoginKey   = "publickey"
	LoginGuest = "guest"
)

// Stages of a connection.
const (
	stageProxy         = "proxy"         // its proxy has not named the client yet
	stageHandshake     = "handshake"     // the client is not logged in yet
	stageAuthenticated = "authenticated" // the client is logged in and has no session
	stageSession       = "session"
)

// ConnStages returns the stages of a connection.
func ConnStages() []string {
	return []string{stageProxy, stageHandshake, stageAuthenticated, stageSession}
}

func newStats() *Stats {
	const ms = time.Millisecond
	s := &Stats{
		Handshakes: stats.NewHistogram(10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms, time.Second, 2500*ms, 5*time.Second,
			10*time.Second),
		KeyToFrame: stats.NewHistogram(500*time.Microsecond, ms, 2*ms, 5*ms, 10*ms, 25*ms, 50*ms, 100*ms, 250*ms, 500*ms,
			time.Second),
		FrontEnds: map[string]*FrontEndStats{},
	}
	for _, name := range []string{frontEndScreen, frontEndPlain, frontEndBot, frontEndCommand} {
		s.FrontEnds[name] = &FrontEndStats{Name: name, Duration: stats.NewHistogram(time.Second, 10*time.Second,
			time.Minute, 5*time.Minute, 15*time.Minute, time.Hour, 4*time.Hour)}
	}
	return s
}
