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

	"notakto/match/internal/disk"
)

// Record is one complete record of a server's block files: length (its highest bit says that there are headers),
// sequence, time, length of the subject; subject, length of the headers, headers, body; checksum. The checksum does not
// cover the length of the headers. If that is wrong the server delivers another body, hangs, or panics at its start. It
// finds all other damage itself.
type Record []byte

const (
	recordHead     = 22
	recordChecksum = 8
	recordHeaders  = 1 << 31
	recordErased   = 1 << 63
)

// unsynced is the longest time, by their stamps, between records that were not synced yet when the power failed. It is
// longer than the server's sync interval.
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

// Seq returns the sequence of the message, with the highest bit set if it was erased.
func (r Record) Seq() uint64 { return binary.LittleEndian.Uint64(r[4:]) }

func (r Record) stamp() int64     { return int64(binary.LittleEndian.Uint64(r[12:])) }
func (r Record) hasHeaders() bool { return binary.LittleEndian.Uint32(r)&recordHeaders != 0 }

// Body returns what follows the headers; empty if their length cannot be.
func (r Record) Body() []byte {
	rest, ok := r.afterSubject()
	if !ok || !r.hasHeaders() {
		return rest
	}
	size := uint64(binary.LittleEndian.Uint32(rest))
	return rest[min(4+size, uint64(len(rest))):]
}

// afterSubject returns what follows the subject, without the checksum, if there is room for it.
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

// isGood reports whether the length of the headers is right.
func (r Record) isGood() bool {
	if !r.hasHeaders() || r.Seq()&recordErased != 0 {
		return true
	}
	rest, ok := r.afterSubject()
	if !ok {
		return false
	}
	size, rest := binary.LittleEndian.Uint32(rest), rest[4:]
	return uint64(size) <= uint64(len(rest)) && bytes.HasPrefix(rest, []byte("NATS/1.0")) &&
		bytes.HasSuffix(rest[:size], []byte("\r\n\r\n"))
}

// DamagedError is the position of damage in a file that cannot be repaired.
type DamagedError struct {
	Path string
	At   int
}

func (e DamagedError) Error() string { return fmt.Sprintf("%s is damaged at byte %d", e.Path, e.At) }

// Repair cuts the torn tail off the last of a stream's files: records that were not written completely when the power
// failed. It keeps the tail in a file whose path begins with torn. All subjects begin with subject. read is called with
// each file, up to the first damage. A file that is damaged elsewhere is a [DamagedError].
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
		log.Warn("the end of a file of the journal was torn, as by a power cut, and is cut off: what was not on the "+
			"disk yet is lost, or comes from the other nodes", "event", "journal-torn",
			"file", path, "byte", at, "cut", len(b)-at, "kept", kept)
	}
	return nil
}

// damagedAt returns where the first record begins that is not good, or else the end of the records.
func damagedAt(b []byte) (at int, ok bool) {
	for r := range Records(b) {
		if !r.isGood() {
			return at, false
		}
		at += len(r)
	}
	return at, true
}

// isTornTail reports whether a power cut can have damaged a file from here on: this record and all that can be found
// behind it were written within unsynced. Pages may be missing between them, and the system's clock may have been set.
func isTornTail(rest []byte, subject string) bool {
	stamps := []int64{Record(rest).stamp()}
	if stamps[0] == 0 { // its page is missing
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

// cutTail truncates a file at a byte and keeps the rest in another.
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

// escapeGlob returns the pattern that matches only a path.
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
