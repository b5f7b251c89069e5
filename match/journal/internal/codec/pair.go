package codec

import (
	"notakto/match"
	"notakto/rules"
)

// isPairWritable reports whether the fields of a pair can be read back: a rated match has an opening, another one has
// none.
func isPairWritable(e match.Event) bool {
	if !e.Pool.IsRated() {
		return e.Pair == match.PairGame{}
	}
	start, err := rules.ParsePosition(e.Pair.Start.String())
	return err == nil && start == e.Pair.Start && e.Pool <= match.LastPool && e.Pair.FirstWinner <= rules.Second
}

// appendPair appends the pool of a rated match, and which game of its pair it is.
func appendPair(b []byte, e match.Event) []byte {
	b = append(b, byte(e.Pool), byte(e.Pair.FirstWinner))
	for _, text := range [...]string{e.Pair.Seed, e.Pair.Start.String(), string(e.Pair.First)} {
		b = appendText(b, text)
	}
	return b
}

func (u *decoder) pair(e *match.Event) {
	e.Pool, e.Pair.FirstWinner = match.Pool(u.byte()), rules.Side(u.byte())
	u.newer = u.newer || e.Pool > match.LastPool
	u.bad = u.bad || !e.Pool.IsRated() || e.Pair.FirstWinner > rules.Second
	e.Pair.Seed = u.text()
	start, err := rules.ParsePosition(u.text())
	e.Pair.Start, e.Pair.First = start, match.ID(u.text())
	u.newer = u.newer || err != nil && !u.bad // other boards
}
