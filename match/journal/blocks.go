package journal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The server's files consist of records: length (its highest bit says that there are headers), sequence, time, length
// of the subject; subject, length of the headers, headers, body; checksum. The checksum leaves the length of the
// headers out, and the server either hands out other bodies, or sticks at such a record, or dies of it when it starts.
// Everything else that is damaged it finds itself.
const (
	recordHead     = 22
	recordChecksum = 8
	recordHeaders  = 1 << 31
	recordErased   = 1 << 63
)

// unsynced is for how long, by their times, records may not have been on the disk yet when the power failed: more than
// the server leaves between two syncs.
const unsynced = 5 * time.Second

// mendBlocks cuts the torn tail off the last file of each stream: records of which pages were missing when the power
// failed. In a cluster the node gets them from the others. It returns [ErrRestore] if a file is damaged elsewhere where
// the server does not look.
func (s *Store) mendBlocks(dir string) error {
	for _, stream := range [...]string{matchesStream, archiveStream} {
		blocks, err := filepath.Glob(filepath.Join(escapeGlob(files(dir, stream)), "msgs", "*.blk"))
		if err != nil {
			return err
		}
		slices.SortFunc(blocks, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) }) // by number
		for i, path := range blocks {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			at, ok := wrongHeaders(b)
			if stream == archiveStream {
				s.names.read(b[:at])
			}
			switch {
			case ok:
			case i == len(blocks)-1 && isTornTail(b[at:]):
				err = s.cutTail(dir, stream, path, b, at)
			default:
				err = s.unreadable(path, at)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// unreadable is the error of a start with a file that is damaged at a byte.
func (s *Store) unreadable(path string, at int) error {
	if s.cfg.Cluster.Listen != "" {
		return fmt.Errorf("%w (%s, byte %d)", ErrReplace, path, at)
	}
	return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, path, at)
}

// isTornTail reports whether a file that is damaged at its next record may have been torn there by a power cut: that
// record, and all that can be found behind it, were written so close to each other that none of them may have been
// synced. Pages may be missing between them. The system's clock may have been set between two records.
func isTornTail(rest []byte) bool {
	stamps := []int64{int64(binary.LittleEndian.Uint64(rest[12:]))}
	if stamps[0] == 0 { // on a page that is missing
		stamps = nil
	}
	for at := 0; at < len(rest); {
		size, ok := recordSize(rest[at:])
		if !ok || !bytes.HasPrefix(rest[at+recordHead:], []byte(anySubject)) {
			at++
			continue
		}
		stamps = append(stamps, int64(binary.LittleEndian.Uint64(rest[at+12:])))
		at += size
	}
	return len(stamps) == 0 || time.Unix(0, slices.Max(stamps)).Sub(time.Unix(0, slices.Min(stamps))) <= unsynced
}

// cutTail ends a file before a byte and keeps the rest in the directory torn.
func (s *Store) cutTail(dir, stream, path string, b []byte, at int) error {
	torn := filepath.Join(dir, "torn")
	if err := os.MkdirAll(torn, 0o700); err != nil {
		return err
	}
	kept := filepath.Join(torn, fmt.Sprintf("%s-%s-%d", stream, filepath.Base(path), at))
	if err := writeFileSync(kept, b[at:]); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Truncate(int64(at)), file.Sync(), file.Close()); err != nil {
		return err
	}
	s.cfg.Log.Warn("the end of a file of the journal was torn, as by a power cut, and is cut off: what was not on the disk yet is lost, or comes from the other nodes",
		"file", path, "byte", at, "cut", len(b)-at, "kept", kept)
	return nil
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

// wrongHeaders goes from record to record, for as long as they follow each other, and says where headers are not as
// long as they are said to be.
func wrongHeaders(b []byte) (at int, ok bool) {
	for {
		head := b[at:]
		size, whole := recordSize(head)
		if !whole {
			return at, true
		}
		erased := binary.LittleEndian.Uint64(head[4:])&recordErased != 0
		if binary.LittleEndian.Uint32(head)&recordHeaders != 0 && !erased &&
			!goodHeaders(head[recordHead:size-recordChecksum], binary.LittleEndian.Uint16(head[20:])) {
			return at, false
		}
		at += size
	}
}

// recordSize returns the size of the next record, if all of it is there.
func recordSize(b []byte) (size int, ok bool) {
	if len(b) < recordHead+recordChecksum {
		return 0, false
	}
	size = int(binary.LittleEndian.Uint32(b) &^ recordHeaders)
	return size, size >= recordHead+recordChecksum && size <= len(b)
}

// goodHeaders looks at the part of a record from the subject on.
func goodHeaders(record []byte, subject uint16) bool {
	if int(subject)+4 > len(record) {
		return false
	}
	size, rest := binary.LittleEndian.Uint32(record[subject:]), record[subject+4:]
	return uint64(size) <= uint64(len(rest)) && bytes.HasPrefix(rest, []byte("NATS/1.0")) && bytes.HasSuffix(rest[:size], []byte("\r\n\r\n"))
}
