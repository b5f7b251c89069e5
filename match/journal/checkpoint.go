package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"notakto/match/journal/internal/disk"
)

// checkpoint is a small file that says what the files of an embedded server must hold, so that a start notices missing
// events, and finished matches that are live again. It is written with every event and synced only before a deletion.
// After a power cut it may be older than the files; then newer events are not checked.
type checkpoint struct {
	previous counts // as it was opened
	file     *os.File

	mu sync.Mutex
	counts
}

// counts are the contents of a checkpoint.
type counts struct {
	matchesEnd uint64 // the last sequence of MATCHES
	archiveEnd uint64 // the last sequence of ARCHIVE, which is also how many records there are
	setDigest
}

// setDigest is the digest of a set of entries.
type setDigest struct {
	entries uint64
	hash    uint64 // of their sequences, independent of their order
}

func (s setDigest) plus(o setDigest) setDigest {
	return setDigest{s.entries + o.entries, s.hash + o.hash}
}
func (s setDigest) minus(o setDigest) setDigest {
	return setDigest{s.entries - o.entries, s.hash - o.hash}
}

// entry returns the digest of the entry with one sequence.
func entry(seq uint64) setDigest {
	z := seq + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return setDigest{1, z ^ z>>31}
}

const checkpointSize = 4*8 + 4

var errCheckpoint = errors.New("the tally cannot be read")

// openCheckpoint opens or makes a checkpoint. If it cannot be read its counts are zero, with errCheckpoint.
func openCheckpoint(path string) (*checkpoint, error) {
	file, err := disk.OpenSmall(path)
	if err != nil {
		return nil, err
	}
	t := &checkpoint{file: file}
	b := make([]byte, checkpointSize)
	switch n, err := file.ReadAt(b, 0); {
	case n == 0 && errors.Is(err, io.EOF):
		return t, nil
	case n < checkpointSize || crc32.ChecksumIEEE(b[:checkpointSize-4]) != binary.BigEndian.Uint32(b[checkpointSize-4:]):
		return t, fmt.Errorf("%s: %w", path, errCheckpoint)
	}
	number := func(i int) uint64 { return binary.BigEndian.Uint64(b[8*i:]) }
	t.previous = counts{
		matchesEnd: number(0), archiveEnd: number(1), setDigest: setDigest{entries: number(2), hash: number(3)},
	}
	t.counts = t.previous
	return t, nil
}

// matches stores the state of MATCHES. A nil checkpoint stores nothing.
func (t *checkpoint) matches(end uint64, all setDigest) {
	if t != nil {
		t.update(func(c *counts) { c.matchesEnd, c.setDigest = end, all })
	}
}

// archive stores the state of ARCHIVE.
func (t *checkpoint) archive(end uint64) {
	if t != nil {
		t.update(func(c *counts) { c.archiveEnd = end })
	}
}

func (t *checkpoint) update(change func(*counts)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.counts)
	b := make([]byte, 0, checkpointSize)
	for _, n := range [...]uint64{t.matchesEnd, t.archiveEnd, t.entries, t.hash} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	_, _ = t.file.WriteAt(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)), 0) // after a failure it is an older one
}

// sync returns when the checkpoint is on the disk.
func (t *checkpoint) sync() error {
	if t == nil {
		return nil
	}
	return t.file.Sync()
}

func (t *checkpoint) close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}
