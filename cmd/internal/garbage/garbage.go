// Package garbage says how much of it the server lets lie about.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

// percent of what is in use may be garbage. Nearly all that a session takes it keeps, and a key leaves less than a kilobyte behind: with Go's
// own 100 percent a session takes 7 KB more, and the collector's share of the processor is small either way.
const percent = 50

// unused is how many bytes the collector counts as in use that nobody touches, so that they take no memory: half as much may always be
// garbage. Otherwise a server with few players would collect six times a second while somebody floods it with connections, and its players
// would wait for that.
const unused = 12 << 20

// Limit has the process collect its garbage that often, unless GOGC says how often, until the end is called.
func Limit() (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	debug.SetGCPercent(percent)
	reserve := make([]byte, unused)
	return func() { runtime.KeepAlive(reserve) }
}
