package codec

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"notakto/match"
)

// errUnreadable says that bytes are no entry.
var errUnreadable = errors.New("it cannot be read")

// sum guards an entry from end to end: the name is part of it, so that an entry that turned up under another match is
// found out.
func sum(id match.ID, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum([]byte(id), table), table, body)
}

func appendChecksum(id match.ID, body []byte) []byte {
	return binary.BigEndian.AppendUint32(body, sum(id, body))
}

// VerifyChecksum is the body without its sum.
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

// decoder is what is left of an entry. Once something was missing, everything is.
type decoder struct {
	rest  []byte
	bad   bool
	newer bool // it holds what this version does not know, so that the rest cannot be read either
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

// readable reports whether what was read so far could be.
func (u *decoder) readable() bool { return !u.bad && !u.newer }

// end is what is wrong with an entry that has been read through: [match.ErrNewer], errUnreadable if something was
// missing or is left over.
func (u *decoder) end() error {
	switch {
	case u.newer:
		return match.ErrNewer
	case u.bad || len(u.rest) > 0:
		return errUnreadable
	}
	return nil
}
