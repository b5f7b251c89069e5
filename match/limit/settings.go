package limit

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/time/rate"
)

// ErrSetting reports a setting with a value that cannot work.
var ErrSetting = errors.New("setting out of range")

// Settings are the limits and times of a server.
type Settings struct {
	MaxLogins             int            // connections without a session, or returnFactor times as many without a crowd
	MaxLoginRate          int            // logins a second from one address, after a burst of MaxSessionsPerAddress
	ProxyFrom             []netip.Prefix // proxies that send their client's address by the PROXY protocol
	Guests                bool           // clients without a key may play
	MaxSessions           int            // in all
	MaxWaiting            int            // sessions that wait while there are MaxSessions
	MaxSessionsPerAddress int            // from one IPv4 address or IPv6 /64
	MaxSessionsPerKey     int            // of one player, at all addresses
	MaxInputRate          int            // bytes a second of an address, for each 100 of MaxSessionsPerAddress
	Login                 time.Duration  // from the connection to the end of its login, at most ten seconds in a crowd
	Start                 time.Duration  // from the login to the first session
	Stall                 time.Duration  // longest wait of a write for a client that does not read
	KeepAlive             time.Duration  // silence before a question to the client, and longest wait for the answer
	Idle                  time.Duration  // from the last key to the end of the session
}

// DefaultSettings returns settings for a public server on a small machine.
func DefaultSettings() Settings {
	return Settings{
		MaxLogins:             256,
		MaxLoginRate:          20,
		Guests:                true,
		MaxSessions:           5000,
		MaxWaiting:            100,
		MaxSessionsPerAddress: 100,
		MaxSessionsPerKey:     10,
		MaxInputRate:          32 << 10,
		Login:                 time.Minute,
		Start:                 10 * time.Second,
		Stall:                 10 * time.Second,
		KeepAlive:             time.Minute,
		Idle:                  30 * time.Minute,
	}
}

// Validate returns [ErrSetting] with the first setting that is out of range and the range, or nil.
func (s Settings) Validate() error {
	for _, count := range []struct {
		name  string
		value int
	}{
		{"max-logins", s.MaxLogins},
		{"max-login-rate", s.MaxLoginRate},
		{"max-sessions", s.MaxSessions},
		{"max-waiting", s.MaxWaiting},
		{"max-sessions-per-address", s.MaxSessionsPerAddress},
		{"max-sessions-per-key", s.MaxSessionsPerKey},
		{"max-input-rate", s.MaxInputRate},
	} {
		if count.value < 1 {
			return fmt.Errorf("%w: %s is %d, it must be 1 or more", ErrSetting, count.name, count.value)
		}
	}
	for _, span := range []struct {
		name  string
		value time.Duration
	}{
		{"login", s.Login}, {"start", s.Start}, {"stall", s.Stall}, {"keep-alive", s.KeepAlive}, {"idle", s.Idle},
	} {
		if span.value < time.Millisecond {
			return fmt.Errorf("%w: %s is %s, it must be 1ms or more", ErrSetting, span.name, span.value)
		}
	}
	return nil
}

// MaxChannels is the number of session channels at once on one connection.
const MaxChannels = 8

// requestRate is the limit of a channel's requests a second, such as changes of the window's size.
const requestRate = 100

// NewRequests returns a limiter for the requests of one channel, or for the requests of a connection outside its
// channels.
func NewRequests() *rate.Limiter { return rate.NewLimiter(requestRate, 2*requestRate) }

// reservedDescriptors is the number of open files kept from clients. An idle server has 15 open, for the listener, the
// log and the database. AcceptBurst of them are for connections that are new or being closed, 16 for those to the
// status and 32 for those to the page on the web. The database opens more files when it records, and many clients must
// never make recording fail.
const reservedDescriptors = 96

// AcceptBurst is the room for connections that have not entered [PreauthConns] yet, and for evicted connections that
// the server is closing.
const AcceptBurst = 16

// ClampToFDs returns the settings, lowered to fit the descriptors of the process, and the uncrowdedLimit of
// [NewPreauthConns]. ClampToFDs calls warn if it has lowered a setting.
//
// If the settings do not fit, ClampToFDs shares the descriptors that are not reserved. Connections without a session
// get at most a quarter, and waiting sessions a sixteenth. Neither logins nor players can then use up all descriptors.
func (s Settings) ClampToFDs(descriptors int, warn func(msg string, fields ...any)) (_ Settings, uncrowdedLimit int) {
	available := max(descriptors-reservedDescriptors, descriptors/2)
	uncrowdedLimit = returnFactor * s.MaxLogins
	if uncrowdedLimit+s.MaxSessions+s.MaxWaiting <= available {
		return s, uncrowdedLimit
	}
	asked := s
	uncrowdedLimit = max(1, min(uncrowdedLimit, available/4))
	s.MaxLogins = min(s.MaxLogins, uncrowdedLimit)
	s.MaxWaiting = max(1, min(s.MaxWaiting, available/16))
	s.MaxSessions = max(1, min(s.MaxSessions, available-uncrowdedLimit-s.MaxWaiting))
	if s.MaxSessions < asked.MaxSessions || s.MaxWaiting < asked.MaxWaiting || s.MaxLogins < asked.MaxLogins {
		warn("too few open files are allowed for the settings; these hold instead",
			"open-files", descriptors, "max-sessions", s.MaxSessions, "max-waiting", s.MaxWaiting, "max-logins", s.MaxLogins)
	}
	return s, uncrowdedLimit
}
