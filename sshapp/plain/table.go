package plain

import "notakto/sshapp/client"

// table is a match that the session sits at or looks on; the zero value is none. Its methods put it into words.
type table struct{ *client.Table }

// isNone reports whether it is no table.
func (at table) isNone() bool { return at.Table == nil }
