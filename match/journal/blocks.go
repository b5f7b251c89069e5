package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// The server's files consist of records: length (its highest bit says that there are headers), sequence, time, length of the subject;
// subject, length of the headers, headers, body; checksum. The checksum leaves the length of the headers out, and the server either hands out
// other bodies, or sticks at such a record, or dies of it when it starts. Everything else that is damaged it finds itself.
const (
	recordHead     = 22
	recordChecksum = 8
	recordHeaders  = 1 << 31
	recordErased   = 1 << 63
)

// checkHeaders is [ErrRestore] if a file of a stream is damaged where the server does not look.
func checkHeaders(dir string) error {
	for _, stream := range [...]string{matchesStream, archiveStream} {
		blocks, err := filepath.Glob(filepath.Join(globbed(files(dir, stream)), "msgs", "*.blk"))
		if err != nil {
			return err
		}
		for _, path := range blocks {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if at, ok := wrongHeaders(b); !ok {
				return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, path, at)
			}
		}
	}
	return nil
}

// globbed is a path as a pattern that matches nothing else.
func globbed(path string) string {
	var b bytes.Buffer
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// wrongHeaders goes from record to record, for as long as they follow each other, and says where headers are not as long as they are said
// to be.
func wrongHeaders(b []byte) (at int, ok bool) {
	for at = 0; at+recordHead+recordChecksum <= len(b); {
		head := b[at:]
		length := binary.LittleEndian.Uint32(head)
		size := int(length &^ recordHeaders)
		if size < recordHead+recordChecksum || size > len(head) {
			return at, true
		}
		erased := binary.LittleEndian.Uint64(head[4:])&recordErased != 0
		if length&recordHeaders != 0 && !erased && !goodHeaders(head[recordHead:size-recordChecksum], binary.LittleEndian.Uint16(head[20:])) {
			return at, false
		}
		at += size
	}
	return at, true
}

// goodHeaders looks at the part of a record from the subject on.
func goodHeaders(record []byte, subject uint16) bool {
	if int(subject)+4 > len(record) {
		return false
	}
	size, rest := binary.LittleEndian.Uint32(record[subject:]), record[subject+4:]
	return uint64(size) <= uint64(len(rest)) && bytes.HasPrefix(rest, []byte("NATS/1.0")) && bytes.HasSuffix(rest[:size], []byte("\r\n\r\n"))
}
