package bot

import "time"

// pace is how fast a session may go: so many at once, and so many a second after that.
type pace struct {
	rate, most, left float64
	last             time.Time
}

func newPace(rate, burst int, now time.Time) *pace {
	return &pace{rate: float64(rate), most: float64(burst), left: float64(burst), last: now}
}

// allow reports whether there is room for one more now, and takes it.
func (p *pace) allow(now time.Time) bool {
	p.left = min(p.most, p.left+p.rate*now.Sub(p.last).Seconds())
	p.last = now
	if p.left < 1 {
		return false
	}
	p.left--
	return true
}
