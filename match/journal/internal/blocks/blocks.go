package blocks

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"notakto/match/journal/internal/disk"
)

// Record is one record of a server's block files, all of it: length (its highest bit says that there are headers),
// sequence, time, length of the subject; subject, length of the headers, headers, body; checksum. The checksum leaves
// the length of the headers out, and the server either hands out other bodies, or sticks at such a record, or dies of
// it when it starts. Everything else that is damaged it finds itself.
type Record []byte

const (
	recordHead     = 22
	recordChecksum = 8
	recordHeaders  = 1 << 31
	recordErased   = 1 << 63
)

// unsynced is for how long, by their times, records may not have been on the disk yet when the power failed: more than
// the server leaves between two syncs.
const unsynced = 5 * time.Second

// firstRecord returns the record at the beginning of b, if all of it is there.
func firstRecord(b []byte) (r Record, ok bool) {
	if len(b) < recordHead+recordChecksum {
		return nil, false
	}
	size := int(binary.LittleEndian.Uint32(b) &^ recordHeaders)
	if size < recordHead+recordChecksum || size > len(b) {
		return nil, false
	}
	return b[:size], true
}

// Records yields the records at the beginning of b that follow each other.
func Records(b []byte) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for r, ok := firstRecord(b); ok && yield(r); r, ok = firstRecord(b) {
			b = b[len(r):]
		}
	}
}

// Seq is the sequence of the message, with the highest bit set if it was erased.
func (r Record) Seq() uint64 { return binary.LittleEndian.Uint64(r[4:]) }

func (r Record) stamp() int64     { return int64(binary.LittleEndian.Uint64(r[12:])) }
func (r Record) hasHeaders() bool { return binary.LittleEndian.Uint32(r)&recordHeaders != 0 }

// Body is what follows the headers; empty if their length cannot be.
func (r Record) Body() []byte {
	rest, ok := r.afterSubject()
	if !ok || !r.hasHeaders() {
		return rest
	}
	size := uint64(binary.LittleEndian.Uint32(rest))
	return rest[min(4+size, uint64(len(rest))):]
}

// afterSubject is what follows the subject, without the checksum, if there is room for it.
func (r Record) afterSubject() (rest []byte, ok bool) {
	rest = r[recordHead : len(r)-recordChecksum]
	subject := int(binary.LittleEndian.Uint16(r[20:]))
	least := subject
	if r.hasHeaders() {
		least += 4
	}
	if least > len(rest) {
		return nil, false
	}
	return rest[subject:], true
}

// isGood reports whether the headers are as long as they are said to be.
func (r Record) isGood() bool {
	if !r.hasHeaders() || r.Seq()&recordErased != 0 {
		return true
	}
	rest, ok := r.afterSubject()
	if !ok {
		return false
	}
	size, rest := binary.LittleEndian.Uint32(rest), rest[4:]
	return uint64(size) <= uint64(len(rest)) && bytes.HasPrefix(rest, []byte("NATS/1.0")) && bytes.HasSuffix(rest[:size], []byte("\r\n\r\n"))
}

// DamagedError says where a file is damaged that cannot be repaired.
type DamagedError struct {
	Path string
	At   int
}

func (e DamagedError) Error() string { return fmt.Sprintf("%s is damaged at byte %d", e.Path, e.At) }

// Repair cuts the torn tail off the last of a stream's files: records of which pages were missing when the power
// failed. The tail is kept in a file whose path begins with torn. All
// subjects begin with subject. read is called with each file, up to what is damaged.
// A file that is damaged elsewhere is a [damagedError].
func Repair(dir, torn, subject string, log *slog.Logger, read func(b []byte)) error {
	blocks, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.blk"))
	if err != nil {
		return err
	}
	slices.SortFunc(blocks, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) }) // by number
	for i, path := range blocks {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		at, ok := damagedAt(b)
		read(b[:at])
		switch {
		case ok:
			continue
		case i < len(blocks)-1 || !isTornTail(b[at:], subject):
			return DamagedError{path, at}
		}
		kept := fmt.Sprintf("%s-%s-%d", torn, filepath.Base(path), at)
		if err := cutTail(path, kept, b, at); err != nil {
			return err
		}
		log.Warn("the end of a file of the journal was torn, as by a power cut, and is cut off: what was not on the disk yet is lost, or comes from the other nodes",
			"file", path, "byte", at, "cut", len(b)-at, "kept", kept)
	}
	return nil
}

// damagedAt goes from record to record, for as long as they follow each other. It returns the byte where that ends, or
// where a record begins that is not good.
func damagedAt(b []byte) (at int, ok bool) {
	for r := range Records(b) {
		if !r.isGood() {
			return at, false
		}
		at += len(r)
	}
	return at, true
}

// isTornTail reports whether a file that is damaged at its next record may have been torn there by a power cut: that
// record, and all that can be found behind it, were written so close to each other that none of them may have been
// synced. Pages may be missing between them. The system's clock may have been set between two records.
func isTornTail(rest []byte, subject string) bool {
	stamps := []int64{Record(rest).stamp()}
	if stamps[0] == 0 { // on a page that is missing
		stamps = nil
	}
	for at := 0; at < len(rest); {
		r, ok := firstRecord(rest[at:])
		if !ok || !bytes.HasPrefix(r[recordHead:], []byte(subject)) {
			at++
			continue
		}
		stamps = append(stamps, r.stamp())
		at += len(r)
	}
	return len(stamps) == 0 || time.Unix(0, slices.Max(stamps)).Sub(time.Unix(0, slices.Min(stamps))) <= unsynced
}

// cutTail ends a file before a byte and keeps the rest in another.
func cutTail(path, kept string, b []byte, at int) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	if err := disk.WriteFile(kept, b[at:]); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Truncate(int64(at)), file.Sync(), file.Close())
}

// escapeGlob is a path as a pattern that matches nothing else.
func escapeGlob(path string) string {
	var b bytes.Buffer
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
