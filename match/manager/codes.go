package manager

import (
	"notakto/match"
	"notakto/rules"
)

const (
	codeLength = 4 // of a private table; short, as it is read aloud
	// resumeCodeLength is the length of a guest's resume code, which is a guest's only proof of identity. Older versions
	// used four letters.
	resumeCodeLength = 8
)

// codeTarget is what a code gives access to: a private table, or a guest's seat.
type codeTarget struct {
	id   match.ID
	side rules.Side // [rules.Nobody] for the table itself
}

// codeIndex maps codes in use to their targets. Recorded codes take precedence over codes drawn here that are not
// recorded yet. So all nodes agree, even if two draw the same code at the same time.
type codeIndex struct {
	targets map[match.Code]codeEntry
	of      map[match.ID][]match.Code
}

// codeEntry is a code's target, and whether the journal has recorded it.
type codeEntry struct {
	codeTarget
	confirmed bool
}

func newCodeIndex() codeIndex {
	return codeIndex{targets: make(map[match.Code]codeEntry), of: make(map[match.ID][]match.Code)}
}

// draw reserves a code that is not in use. It fails only if almost all codes are in use.
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

// confirm sets the recorded target of a code, unless one was recorded before.
func (b codeIndex) confirm(code match.Code, to codeTarget) {
	if was := b.targets[code]; code != "" && !was.confirmed {
		b.set(code, codeEntry{to, true})
	}
}

// find returns the recorded target of a code.
func (b codeIndex) find(code match.Code) (codeTarget, bool) {
	to := b.targets[code]
	return to.codeTarget, to.confirmed
}

func (b codeIndex) set(code match.Code, to codeEntry) {
	b.targets[code] = to
	b.of[to.id] = append(b.of[to.id], code)
}

// forget drops the codes of a match.
func (b codeIndex) forget(id match.ID) {
	for _, code := range b.of[id] {
		if b.targets[code].id == id {
			delete(b.targets, code)
		}
	}
	delete(b.of, id)
}
