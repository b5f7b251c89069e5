package journal

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"notakto/match"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/internal/codec"
)

// names finds the records of the archive that may be a match's. Those that an index has read are found there; of the
// others, and of all without an index, names has four bytes of memory each. Without a record the match was never
// archived.
type names struct {
	seed maphash.Seed // so that a player cannot make up the ID of another record
	// seen is called with each record that read adds; nil for none.
	seen func(seq uint64, record []byte)

	mu     sync.RWMutex
	index  match.ArchiveIndex // has the records up to base; nil without one
	base   uint64             // a sequence
	hashes []uint32           // of the ID of each record after base
}

// newNames returns names with an index, which may be nil.
func newNames(index match.ArchiveIndex) *names {
	n := &names{seed: maphash.MakeSeed(), index: index}
	if index != nil {
		n.base = index.IndexedTo()
	}
	return n
}

// forgetAtLeast is how many records are dropped from memory at once, if it is not all.
const forgetAtLeast = 4096

func (n *names) hash(id match.ID) uint32 { return uint32(maphash.String(n.seed, string(id))) }

// add stores the match of the record with a sequence, and drops what the index has read.
func (n *names) add(id match.ID, seq uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if seq <= n.base {
		return
	}
	for n.last() < seq {
		n.hashes = append(n.hashes, 0)
	}
	n.hashes[seq-n.base-1] = n.hash(id)
	if n.index == nil {
		return
	}
	read := min(max(n.index.IndexedTo(), n.base), n.last())
	if count := read - n.base; count >= forgetAtLeast || read == n.last() {
		n.base, n.hashes = read, slices.Clone(n.hashes[count:])
	}
}

// last returns the last sequence. The caller holds the lock.
func (n *names) last() uint64 { return n.base + uint64(len(n.hashes)) }

// find returns the sequences of the records that may be a match's. It may ask the index, in this goroutine. A record
// moves from memory to the index, so the index is asked last.
func (n *names) find(ctx context.Context, id match.ID) (all []uint64, err error) {
	hash := n.hash(id)
	n.mu.RLock()
	for i, h := range n.hashes {
		if h == hash {
			all = append(all, n.base+uint64(i+1))
		}
	}
	index := n.index
	n.mu.RUnlock()
	if index == nil {
		return all, nil
	}
	seq, err := index.FindArchived(ctx, id)
	if err == nil && seq > 0 {
		all = append(all, seq)
	}
	return all, err
}

// attach tells the index which archive it is of, and returns the last sequence, of those up to last, that needs no
// reading. All records after last are dropped.
func (n *names) attach(ctx context.Context, a match.Archive, last uint64) (uint64, error) {
	if n.index != nil {
		if err := n.index.Attach(ctx, a); err != nil {
			return 0, err
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.base > last || n.index != nil && n.index.IndexedTo() < n.base {
		n.base, n.hashes = 0, nil // the index was of another archive, and is empty now
	}
	n.hashes = n.hashes[:min(last-n.base, uint64(len(n.hashes)))]
	return n.last(), nil
}

// detach drops everything, and the index, which has records that the archive has lost.
func (n *names) detach() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.index, n.base, n.hashes = nil, 0, nil
}

// read adds the records of a file of the server, up to the first one that is damaged or out of sequence. The follower
// of the archive begins there.
func (n *names) read(b []byte) {
	for r := range blocks.Records(b) {
		if r.Seq() <= n.base {
			continue
		}
		if r.Seq() != n.last()+1 {
			return
		}
		id, err := codec.RecordID(r.Body())
		if err == nil {
			_, err = codec.VerifyChecksum(id, r.Body())
		}
		if err != nil {
			return
		}
		n.add(id, r.Seq())
		if n.seen != nil {
			n.seen(r.Seq(), r.Body())
		}
	}
}
