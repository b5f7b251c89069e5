// Package garbage says how much of it the server lets lie about.
package garbage

import (
	"os"
	"runtime/debug"
)

// percent of what is in use may be garbage. Nearly all that a session takes it keeps, and a key leaves less than a kilobyte behind: with Go's
// own 100 percent a session takes 7 KB more, and the collector's share of the processor is small either way.
const percent = 50

// Limit has the process collect its garbage that often, unless GOGC says how often.
func Limit() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
