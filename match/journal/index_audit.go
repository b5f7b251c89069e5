package journal

import (
	"maps"
	"slices"

	"notakto/match"
)

// loadedUpTo is the digest of the entries that have been told up to a sequence, before loaded was called.
func (v *index) loadedUpTo(end uint64) (all setDigest) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		for _, seq := range log.seqs {
			if seq <= end {
				all = all.plus(entry(seq))
			}
		}
	}
	return all
}

// setLoaded says that what was recorded before the start, up to a sequence, has been told and audited.
func (v *index) setLoaded(end uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, log := range v.logs {
		log.seqs = nil
	}
	v.loaded = true
	v.at = max(v.at, end) // the last may have been purged
	v.count()
}

// ids are the live matches.
func (v *index) ids() []match.ID {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Collect(maps.Keys(v.logs))
}

// total is the digest of all live logs.
func (v *index) total() setDigest {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.all
}
