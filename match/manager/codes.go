package manager

import (
	"notakto/match"
	"notakto/rules"
)

const (
	codeLength = 4 // of a private table's, which is read out
	// wayBackLength is the length of a guest's way back, which is the guest's only proof of being the guest. Older
	// versions drew four letters.
	wayBackLength = 8
)

// spot is where a code leads: to a private table, or to a guest's seat at a table.
type spot struct {
	id   match.ID
	side rules.Side // nobody's for the table itself
}

// codebook knows where each live code leads. What the journal tells goes before what was drawn here and has not been recorded yet, so all
// nodes agree, even if two of them draw the same code at the same time.
type codebook struct {
	spots map[match.Code]lead
	of    map[match.ID][]match.Code
}

// lead is where a code leads, and whether the journal says so.
type lead struct {
	spot
	told bool
}

func newCodebook() codebook {
	return codebook{spots: make(map[match.Code]lead), of: make(map[match.ID][]match.Code)}
}

// draw takes a code that leads nowhere yet. It fails only if codes have all but run out.
func (b codebook) draw(d *dice, to spot) (match.Code, error) {
	length := codeLength
	if to.side != rules.Nobody {
		length = wayBackLength
	}
	for range 1000 {
		code := d.code(length)
		if _, used := b.spots[code]; !used {
			b.set(code, lead{spot: to})
			return code, nil
		}
	}
	return "", match.ErrTooMany
}

// learn makes a code lead to where the journal says, unless it said something else before.
func (b codebook) learn(code match.Code, to spot) {
	if was := b.spots[code]; code != "" && !was.told {
		b.set(code, lead{to, true})
	}
}

// find is where a code leads by the journal.
func (b codebook) find(code match.Code) (spot, bool) {
	to := b.spots[code]
	return to.spot, to.told
}

func (b codebook) set(code match.Code, to lead) {
	b.spots[code] = to
	b.of[to.id] = append(b.of[to.id], code)
}

// forget drops the codes that lead to a match.
func (b codebook) forget(id match.ID) {
	for _, code := range b.of[id] {
		if b.spots[code].id == id {
			delete(b.spots, code)
		}
	}
	delete(b.of, id)
}
