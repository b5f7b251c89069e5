package history

import (
	"time"

	"notakto/match"
)

// Figures are the totals of a record.
type Figures struct {
	Matches     int            // that started
	Ends        map[string]int // matches by their ends
	Pairs       int            // rated pairs whose first game ended
	Results     int            // rated pairs that ended
	Seeds       int            // of the first, the ones whose openings were drawn again from the seed
	Moves       int            // that a client received, each counted once
	LostMoves   int            // of these, the ones lost later
	LostMatches int
	Twice       int
	Unknown     int // moves whose connection was cut, or that met a fault, before their sender knew the result
	Recorded    int // of these, the ones found to be recorded
	Links       int // connections that were opened
	Events      int // that were received
	Behind      int // times that a node did not know yet what another had sent
	Silence     time.Duration
	SilenceFrom time.Duration            // when the longest time without a new move began
	Pauses      map[string]time.Duration // longest time without a move at a node, by what had been done
	Out         time.Duration            // in which no server could record
	Told        int                      // clients that were told so
	Charged     time.Duration            // most that a turn has cost above its time without outages
	Waits       time.Duration            // longest time that two seeks waited, while there was a limit
	Return      []time.Duration          // from each start of a server to the first match event of a match that continues
}

// Verdict is the result of [Check].
type Verdict struct {
	Faults  []Fault
	Figures Figures
	Told    map[match.ID][]string // the moves of each match, as clients received them
}
