package match

import (
	"log/slog"
	"time"
)

// Config is what a [Manager] needs. The zero value of every field but ComputerPause stands for its default.
type Config struct {
	Journal       Journal       // in memory
	Grace         time.Duration // 60 s: how long a player may be away while it is their turn
	ComputerPause time.Duration // how long the computer thinks; none by default
	Linger        time.Duration // 5 min: how long the table of a match that is over stays while someone is there
	Patience      time.Duration // 10 s: how long the journal may take for one event
	Seed          uint64        // of IDs, codes, lots and computers: the same seed plays the same; by default drawn from the system
	MaxMatches    int           // 8: how many matches that are not over one player may have
	Log           *slog.Logger  // nothing is logged
}
