package manager

import (
	"slices"
	"time"
)

// period is a stretch of time.
type period struct{ from, to time.Time }

// outages are the times in which nothing could be recorded. A running clock does not charge them.
type outages struct {
	since time.Time // when the current one began; zero if there is none
	past  []period  // in the order in which they ended, at most maxOutages
}

const maxOutages = 64

// begin begins an outage, unless one lasts.
func (o *outages) begin(at time.Time) {
	if o.since.IsZero() {
		o.since = at
	}
}

// end ends the current outage.
func (o *outages) end(at time.Time) {
	o.add(o.since, at)
	o.since = time.Time{}
}

// add adds an outage that is over.
func (o *outages) add(from, to time.Time) {
	if from.Before(to) {
		o.past = append(o.past[max(0, len(o.past)-maxOutages+1):], period{from, to})
	}
}

// until returns all outages up to a time.
func (o *outages) until(now time.Time) []period {
	all := slices.Clip(o.past)
	if !o.since.IsZero() {
		all = append(all, period{o.since, now})
	}
	return all
}

// charged returns how much of the time between two moments is in no outage.
func charged(from, to time.Time, outages ...period) (sum time.Duration) {
	slices.SortFunc(outages, func(a, b period) int { return a.from.Compare(b.from) })
	for _, o := range outages {
		if o.from.After(from) {
			sum += max(0, earlier(o.from, to).Sub(from))
		}
		from = latest(from, o.to)
	}
	return sum + max(0, to.Sub(from))
}
