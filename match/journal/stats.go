package journal

import (
	"fmt"
	"time"
)

// aliveWithin is how long a follower may give no sign that it goes on. One that waits for a server gives some.
const aliveWithin = time.Minute

// Stats is what monitors read of an open store.
type Stats struct {
	Node string // the name of this server in its cluster; empty on its own

	followers []*follower
}

// Alive returns an error if events are no longer delivered for a reason of this process's own, which only a restart
// ends. It does not depend on the disk or on other servers, and never blocks.
func (s *Stats) Alive() error {
	for _, f := range s.followers {
		if still := time.Since(time.Unix(0, f.ticked.Load())); still > aliveWithin {
			return fmt.Errorf("the follower of the stream %s has stood still for %v", f.stream.CachedInfo().Config.Name,
				still.Round(time.Second))
		}
	}
	return nil
}
