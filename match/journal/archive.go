package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/natsd"
)

// archive finds the records of finished matches.
type archive struct {
	node       *natsd.Node
	names      *names
	index      *index                          // of which archived matches are removed
	checkpoint *checkpoint                     // may be nil
	end        atomic.Uint64                   // the last sequence that is known here
	upgraded   func(match.Player) match.Player // as that of the index
}

// find returns the record of a match. [match.ErrNoSuchMatch], [match.ErrDamaged], [match.ErrUnavailable].
func (a *archive) find(ctx context.Context, id match.ID) (codec.Record, error) {
	if !nameable(id) {
		return codec.Record{}, noSuchMatch(id)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	if err := a.await(ctx); err != nil {
		return codec.Record{}, natsd.Unavailable(err)
	}
	return a.lookUp(ctx, id)
}

// await waits until the follower of ARCHIVE has delivered all records.
func (a *archive) await(ctx context.Context) error {
	for {
		info, err := natsd.StreamInfo(ctx, a.node.JetStream, natsd.ArchiveStream)
		switch {
		case err == nil && info.State.LastSeq <= a.end.Load():
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !natsd.IsTransient(err):
			return err
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}

// lookUp returns find without waiting for records that other nodes have just written.
func (a *archive) lookUp(ctx context.Context, id match.ID) (codec.Record, error) {
	all, err := a.names.find(ctx, id)
	if err != nil {
		return codec.Record{}, natsd.Unavailable(err)
	}
	for _, seq := range all {
		var body []byte // empty if there is no such message
		err := persist(ctx, func(ctx context.Context) error {
			m, err := a.node.Streams.Searches.GetMsg(ctx, seq)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				return nil
			}
			if err == nil {
				body = m.Data
			}
			return err
		})
		if err != nil {
			return codec.Record{}, err
		}
		if name, err := codec.RecordID(body); err == nil && name == id {
			return a.opened(id, body)
		}
	}
	return codec.Record{}, noSuchMatch(id)
}

// checkNew refuses to begin a match that was archived, however long ago: the stream has forgotten it.
func (a *archive) checkNew(ctx context.Context, id match.ID) error {
	switch _, err := a.lookUp(ctx, id); {
	case errors.Is(err, match.ErrNoSuchMatch):
		return nil
	case err == nil || errors.Is(err, match.ErrDamaged) || errors.Is(err, match.ErrNewer):
		return conflict(id, 1)
	default:
		return natsd.Unavailable(err)
	}
}

func (a *archive) opened(id match.ID, body []byte) (codec.Record, error) {
	r, err := a.decode(body)
	if err != nil {
		return codec.Record{}, damaged(id, "in the archive", err)
	}
	return r, nil
}

// decode decodes a record, whose players are as this version records them.
func (a *archive) decode(body []byte) (codec.Record, error) {
	r, err := codec.DecodeRecord(body)
	for i := range r.Events {
		r.Events[i].Player = a.upgraded(r.Events[i].Player)
	}
	return r, err
}

// deliver takes a message of ARCHIVE.
func (a *archive) deliver(m message) {
	if id, err := codec.RecordID(m.body); err == nil {
		a.names.add(id, m.seq)
	}
	if m.seq <= a.end.Load() {
		return // it was there when the journal was opened
	}
	a.end.Store(m.seq)
	a.checkpoint.archive(m.seq)
	r, err := a.decode(m.body)
	if errors.Is(err, match.ErrNewer) {
		a.node.Config.Log.Warn("a finished match was written by a newer version of the program: it is left as it is, "+
			"and not shown", "event", "match-newer", "sequence", m.seq)
		return
	}
	if err != nil {
		a.node.Config.Log.Error("a record of the archive cannot be read",
			"event", "archive-unreadable", "subject", m.subject, "sequence", m.seq, "error", err)
		return
	}
	a.index.finish(r)
}

// lose logs that ARCHIVE has lost all records after a sequence. It is read again from the start: a record that was
// delivered before changes nothing.
func (a *archive) lose(_ context.Context, _, missing uint64) (from uint64, err error) {
	a.names.detach()
	a.end.Store(0)
	a.node.Config.Log.Error("finished matches are missing from NATS: it was emptied, or is an older copy",
		"event", "archive-incomplete",
		"stream", natsd.ArchiveStream, "missing", missing)
	return 1, nil
}

// bucket returns the subject of a match's record.
func bucket(id match.ID) string { return natsd.ArchiveSubject + string(id[:min(2, len(id))]) }

// archiveReader is a [match.Archive].
type archiveReader struct {
	clock   clock
	archive *archive
}

// ReadArchive implements [match.Archive]. The position of a match is its sequence in ARCHIVE. It reads on its own, so
// that a slow reader holds up no one else, and may be called by several goroutines.
func (a archiveReader) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	f := newFollower(a.archive.node, a.clock, a.archive.node.Streams.Searches, after+1, func(m message) {
		if reading.Err() != nil {
			return
		}
		if err := fn(a.archive.matchOf(m)); err != nil {
			stop(err)
		}
	})
	// Old records are asked for: a consumer would have the server send far ahead of a slow reader.
	for f.next <= a.archive.end.Load() && reading.Err() == nil && (a.readSome(reading, f) > 0 || f.catchUp(reading) > 0) {
	}
	if reading.Err() == nil {
		f.run(reading)
	}
	return context.Cause(reading)
}

// How much the server sends of the archive for one request.
const (
	readMatches = 256
	readBytes   = 1 << 20
)

// readSome delivers the next records that a copy of the archive has, the nearest to this node, and returns how many
// those were. A record never changes, so that any copy will do.
func (a archiveReader) readSome(ctx context.Context, f *follower) (n int) {
	records, err := jetstreamext.GetBatch(ctx, a.archive.node.Streams.Searcher(), natsd.ArchiveStream, readMatches,
		jetstreamext.GetBatchSeq(f.next), jetstreamext.GetBatchSubject(natsd.ArchiveSubject+"*"),
		jetstreamext.GetBatchMaxBytes(readBytes))
	if err != nil {
		return 0
	}
	last := uint64(0)
	for m, err := range records {
		if err != nil || !follows(m, last) {
			break
		}
		f.deliver(message{subject: m.Subject, seq: m.Sequence, stamp: m.Time, header: m.Header, body: m.Data})
		last = m.Sequence
		n++
	}
	return n
}

// follows reports whether a message of a batch is the one after another, 0 for none: else one was lost on the way.
func follows(m *jetstream.RawStreamMsg, last uint64) bool {
	return m.Header.Get(server.JSLastSequence) == strconv.FormatUint(last, 10)
}

// ArchiveEnd implements [match.Archive].
func (a archiveReader) ArchiveEnd() uint64 { return a.archive.end.Load() }

// matchOf decodes a message of ARCHIVE.
func (a *archive) matchOf(m message) match.ArchivedMatch {
	archived := match.ArchivedMatch{Position: m.seq, Stamp: m.stamp.UTC()}
	if id, err := codec.RecordID(m.body); err == nil {
		archived.ID = id
	}
	if r, err := a.decode(m.body); err == nil {
		archived.Events = r.Events
	}
	return archived
}

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
