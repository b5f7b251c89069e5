package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

// tally is a small file beside an embedded server's own that says what these must hold, so that a start finds out when acknowledged events
// are missing from them, or when finished matches came back to life. It is written with every event but synced only before something is
// deleted: what the system had not written yet when the power failed makes it an older one, and all that is newer is left out of account.
type tally struct {
	had  counts // as it was opened
	file *os.File

	mu sync.Mutex
	counts
}

// counts are what a tally says.
type counts struct {
	matchesEnd uint64 // the last sequence of MATCHES
	archiveEnd uint64 // the last sequence of ARCHIVE, which is also how many records there are
	bag
}

// bag stands for a set of entries, in any order.
type bag struct {
	entries uint64
	trace   uint64 // of their sequences: the same for the same set only
}

func (s bag) plus(o bag) bag  { return bag{s.entries + o.entries, s.trace + o.trace} }
func (s bag) minus(o bag) bag { return bag{s.entries - o.entries, s.trace - o.trace} }

// entry is the bag of the entry with one sequence.
func entry(seq uint64) bag {
	z := seq + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return bag{1, z ^ z>>31}
}

const tallySize = 4*8 + 4

var errTally = errors.New("the tally cannot be read")

// openTally opens or makes a tally. If it cannot be read its counts are zero, and the error is errTally.
func openTally(path string) (*tally, error) {
	file, err := openSmall(path, smallFile)
	if err != nil {
		return nil, err
	}
	t := &tally{file: file}
	b := make([]byte, tallySize)
	switch n, err := file.ReadAt(b, 0); {
	case n == 0 && errors.Is(err, io.EOF):
		return t, nil
	case n < tallySize || crc32.ChecksumIEEE(b[:tallySize-4]) != binary.BigEndian.Uint32(b[tallySize-4:]):
		return t, fmt.Errorf("%s: %w", path, errTally)
	}
	number := func(i int) uint64 { return binary.BigEndian.Uint64(b[8*i:]) }
	t.had = counts{matchesEnd: number(0), archiveEnd: number(1), bag: bag{entries: number(2), trace: number(3)}}
	t.counts = t.had
	return t, nil
}

// matches notes the state of MATCHES. A nil tally notes nothing.
func (t *tally) matches(end uint64, all bag) {
	if t != nil {
		t.note(func(c *counts) { c.matchesEnd, c.bag = end, all })
	}
}

// archive notes the state of ARCHIVE.
func (t *tally) archive(end uint64) {
	if t != nil {
		t.note(func(c *counts) { c.archiveEnd = end })
	}
}

func (t *tally) note(change func(*counts)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.counts)
	b := make([]byte, 0, tallySize)
	for _, n := range [...]uint64{t.matchesEnd, t.archiveEnd, t.entries, t.trace} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	_, _ = t.file.WriteAt(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)), 0) // if it fails it is an older one
}

// sync returns when what was noted is on the disk.
func (t *tally) sync() error {
	if t == nil {
		return nil
	}
	return t.file.Sync()
}
