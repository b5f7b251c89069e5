package journal

import (
	"hash/maphash"
	"sync"

	"notakto/match"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/internal/codec"
)

// names finds the records of the archive that may be a match's, with four bytes of memory for each. Without one the
// match was never archived.
type names struct {
	seed maphash.Seed // so that a player cannot make up the ID of another record

	mu     sync.RWMutex
	hashes []uint32 // of the ID of each record, from sequence 1 on
}

func newNames() *names { return &names{seed: maphash.MakeSeed()} }

func (n *names) hash(id match.ID) uint32 { return uint32(maphash.String(n.seed, string(id))) }

// add stores the match of the record with a sequence.
func (n *names) add(id match.ID, seq uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for uint64(len(n.hashes)) < seq {
		n.hashes = append(n.hashes, 0)
	}
	n.hashes[seq-1] = n.hash(id)
}

// find returns the sequences of the records that may be a match's.
func (n *names) find(id match.ID) (all []uint64) {
	hash := n.hash(id)
	n.mu.RLock()
	defer n.mu.RUnlock()
	for i, h := range n.hashes {
		if h == hash {
			all = append(all, uint64(i+1))
		}
	}
	return all
}

// end drops all records after last, and returns the last sequence that is left.
func (n *names) end(last uint64) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hashes = n.hashes[:min(uint64(len(n.hashes)), last)]
	return uint64(len(n.hashes))
}

// read adds the records of a file of the server, up to the first one that is damaged or out of sequence. The follower
// of the archive begins there.
func (n *names) read(b []byte) {
	for r := range blocks.Records(b) {
		seq := uint64(len(n.hashes) + 1)
		if r.Seq() != seq {
			return
		}
		id, err := codec.RecordID(r.Body())
		if err == nil {
			_, err = codec.VerifyChecksum(id, r.Body())
		}
		if err != nil {
			return
		}
		n.add(id, seq)
	}
}
