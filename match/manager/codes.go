package manager

import (
	"notakto/match"
	"notakto/rules"
)

const (
	codeLength = 4 // of a private table's, which is read out
	// resumeCodeLength is the length of a guest's way back, which is the guest's only proof of being the guest. Older
	// versions drew four letters.
	resumeCodeLength = 8
)

// codeTarget is where a code leads: to a private table, or to a guest's seat at a table.
type codeTarget struct {
	id   match.ID
	side rules.Side // rules.Nobody for the table itself
}

// codeIndex knows where each live code leads. What the journal tells goes before what was drawn here and has not been
// recorded yet, so all nodes agree, even if two of them draw the same code at the same time.
type codeIndex struct {
	targets map[match.Code]codeEntry
	of      map[match.ID][]match.Code
}

// codeEntry is where a code leads, and whether the journal says so.
type codeEntry struct {
	codeTarget
	confirmed bool
}

func newCodeIndex() codeIndex {
	return codeIndex{targets: make(map[match.Code]codeEntry), of: make(map[match.ID][]match.Code)}
}

// draw takes a code that leads nowhere yet. It fails only if codes have all but run out.
func (b codeIndex) draw(d *rng, to codeTarget) (match.Code, error) {
	length := codeLength
	if to.side != rules.Nobody {
		length = resumeCodeLength
	}
	for range 1000 {
		code := d.code(length)
		if _, used := b.targets[code]; !used {
			b.set(code, codeEntry{codeTarget: to})
			return code, nil
		}
	}
	return "", match.ErrTooMany
}

// confirm makes a code lead to where the journal says, unless it said something else before.
func (b codeIndex) confirm(code match.Code, to codeTarget) {
	if was := b.targets[code]; code != "" && !was.confirmed {
		b.set(code, codeEntry{to, true})
	}
}

// find is where a code leads by the journal.
func (b codeIndex) find(code match.Code) (codeTarget, bool) {
	to := b.targets[code]
	return to.codeTarget, to.confirmed
}

func (b codeIndex) set(code match.Code, to codeEntry) {
	b.targets[code] = to
	b.of[to.id] = append(b.of[to.id], code)
}

// forget drops the codes that lead to a match.
func (b codeIndex) forget(id match.ID) {
	for _, code := range b.of[id] {
		if b.targets[code].id == id {
			delete(b.targets, code)
		}
	}
	delete(b.of, id)
}
