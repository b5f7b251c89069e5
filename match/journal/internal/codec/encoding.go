package codec

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"notakto/match"
)

// errUnreadable says that an entry is damaged.
var errUnreadable = errors.New("it cannot be read")

// sum returns the checksum of an entry. It covers the ID, so that an entry of another match is noticed.
func sum(id match.ID, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum([]byte(id), table), table, body)
}

func appendChecksum(id match.ID, body []byte) []byte {
	return binary.BigEndian.AppendUint32(body, sum(id, body))
}

// VerifyChecksum returns the entry without its checksum.
func VerifyChecksum(id match.ID, entry []byte) ([]byte, error) {
	n := len(entry) - 4
	if n < 1 || binary.BigEndian.Uint32(entry[n:]) != sum(id, entry[:n]) {
		return nil, errUnreadable
	}
	return entry[:n], nil
}

func appendText[T ~string](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// decoder decodes an entry. After an error all values are zero.
type decoder struct {
	rest  []byte
	bad   bool
	newer bool // it has something that this version does not know, so the rest cannot be decoded
}

func (u *decoder) byte() byte {
	if len(u.rest) == 0 {
		u.bad = true
		return 0
	}
	b := u.rest[0]
	u.rest = u.rest[1:]
	return b
}

func (u *decoder) number() uint64 {
	v, n := binary.Uvarint(u.rest)
	if n <= 0 {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[n:]
	return v
}

func (u *decoder) text() string {
	n := u.number()
	if n > uint64(len(u.rest)) {
		u.bad, u.rest = true, nil
		return ""
	}
	text := string(u.rest[:n])
	u.rest = u.rest[n:]
	return text
}

// readable reports whether there was no error yet.
func (u *decoder) readable() bool { return !u.bad && !u.newer }

// end returns the error of the whole entry: [match.ErrNewer], or errUnreadable if bytes were missing or are left.
func (u *decoder) end() error {
	switch {
	case u.newer:
		return match.ErrNewer
	case u.bad || len(u.rest) > 0:
		return errUnreadable
	}
	return nil
}
