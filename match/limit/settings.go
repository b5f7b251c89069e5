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

// Settings are the limits and times of a server. [DefaultSettings] suit a public one.
type Settings struct {
	MaxLogins int // connections at once without a session
	// logins a second from one address, after a burst of MaxSessionsPerAddress
	MaxLoginRate          int
	ProxyFrom             []netip.Prefix // proxies that send their client's address by the PROXY protocol
	Guests                bool           // clients without a key may play
	MaxSessions           int            // sessions in all
	MaxWaiting            int            // sessions that wait in line when there are MaxSessions
	MaxSessionsPerAddress int            // sessions from one IPv4 address or IPv6 /64
	MaxSessionsPerKey     int            // sessions of one player
	MaxInputRate          int            // bytes a second that all sessions of an address read: see [AddressLimits.Pay]
	Login                 time.Duration  // from the connection to the end of its login, at most ten seconds in a crowd
	Start                 time.Duration  // from the login to the first session
	Stall                 time.Duration  // how long a write may wait for a client that does not read
	KeepAlive             time.Duration  // between questions to the client, and for each answer
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

// Validate returns [ErrSetting] with the first setting that is out of range and what is allowed, or nil.
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

// NewRequests returns a limiter for the requests of one channel, or of one connection beside its channels.
func NewRequests() *rate.Limiter { return rate.NewLimiter(requestRate, 2*requestRate) }

// reservedDescriptors is the number of open files kept for the listener, the log, and the database's files and
// connections. The server has fifteen open. The rest is for files that the database opens when it records. A crowd
// of clients must never make recording fail.
const reservedDescriptors = 64

// AcceptBurst is the number of connections that the server accepts beyond its limits: those that do not count yet, and
// those that are being closed to make room. Their descriptors come out of reservedDescriptors.
const AcceptBurst = 16

// ClampToFDs returns the settings, lowered to fit the descriptors of the process. returning is the limit of
// connections without a session while all players come back at once. If the settings do not fit, connections
// without a session get at most a quarter of the room, and sessions in line a sixteenth. So logins and players
// cannot starve each other. ClampToFDs calls warn if it has lowered a setting.
func (s Settings) ClampToFDs(descriptors int, warn func(msg string, fields ...any)) (_ Settings, returning int) {
	room := max(descriptors-reservedDescriptors, descriptors/2)
	returning = returnFactor * s.MaxLogins
	if returning+s.MaxSessions+s.MaxWaiting <= room {
		return s, returning
	}
	asked := s
	returning = max(1, min(returning, room/4))
	s.MaxLogins = min(s.MaxLogins, returning)
	s.MaxWaiting = max(1, min(s.MaxWaiting, room/16))
	s.MaxSessions = max(1, min(s.MaxSessions, room-returning-s.MaxWaiting))
	if s.MaxSessions < asked.MaxSessions || s.MaxWaiting < asked.MaxWaiting || s.MaxLogins < asked.MaxLogins {
		warn("too few open files are allowed for the settings; these hold instead",
			"open-files", descriptors, "max-sessions", s.MaxSessions, "max-waiting", s.MaxWaiting, "max-logins", s.MaxLogins)
	}
	return s, returning
}
