package limit

// reservedDescriptors is how many open files the server needs beside its clients' connections: the listener, the log,
// the other servers of a cluster, and the journal's. It has fifteen open; the rest is for a journal that opens some
// while it records, which must never fail because of a crowd at the front end.
const reservedDescriptors = 64

// AcceptBurst is how many connections there may be beside those that are admitted: new ones, before one of them has
// gone for it, and who has to go. They come out of reservedDescriptors.
const AcceptBurst = 16

// capacity is how the connections that the server may have at once are shared out.
type capacity struct {
	logins    int // without a session; see handshakes
	returning int // of those, when everybody comes back at once
	sessions  int
	waiting   int
}

// capacity are those of the settings, or fewer if the process may have no more than a number of descriptors: then a
// quarter is for who is on the way in, and the rest for players, so that neither can use up what the other needs.
func (s Settings) capacity(descriptors int) capacity {
	c := capacity{s.MaxLogins, returnFactor * s.MaxLogins, s.MaxSessions, s.MaxWaiting}
	room := max(descriptors-reservedDescriptors, descriptors/2)
	if c.returning+c.sessions+c.waiting <= room {
		return c
	}
	c.returning = max(1, min(c.returning, room/4))
	c.logins = min(c.logins, c.returning)
	c.waiting = max(1, min(c.waiting, room/16))
	c.sessions = max(1, min(c.sessions, room-c.returning-c.waiting))
	return c
}

// ClampToFDs is the settings with no more than the process has descriptors for, and how many may be on the way in when
// everybody comes back. A line of the log says so if that is less than was asked for.
func (s Settings) ClampToFDs(descriptors int, warn func(msg string, fields ...any)) (_ Settings, returning int) {
	c := s.capacity(descriptors)
	if c.sessions < s.MaxSessions || c.waiting < s.MaxWaiting || c.logins < s.MaxLogins {
		warn("too few open files are allowed for the settings; these hold instead",
			"open-files", descriptors, "max-sessions", c.sessions, "max-waiting", c.waiting, "max-logins", c.logins)
	}
	s.MaxLogins, s.MaxSessions, s.MaxWaiting = c.logins, c.sessions, c.waiting
	return s, c.returning
}
