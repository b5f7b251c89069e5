package codec

import (
	"encoding/binary"
	"fmt"
	"time"

	"notakto/match"
)

// Record is a finished match in the archive.
type Record struct {
	ID     match.ID
	Seal   uint64 // the sequence of the seal in the stream of live matches
	Events []match.Event
}

// EncodeRecord encodes a record. Times are milliseconds since the event before.
func EncodeRecord(r Record) ([]byte, error) {
	b := appendText([]byte{recordEntry}, r.ID)
	b = binary.AppendUvarint(b, r.Seal)
	b = binary.AppendUvarint(b, uint64(len(r.Events)))
	var err error
	before := int64(0)
	for _, e := range r.Events {
		at := e.At.UnixMilli()
		if at < before {
			return nil, fmt.Errorf("%w: event %d of %s is before the one before", ErrUnwritable, e.Seq, r.ID)
		}
		b = binary.AppendUvarint(b, uint64(at-before))
		before = at
		if b, err = appendEvent(b, e); err != nil {
			return nil, err
		}
	}
	return appendChecksum(r.ID, b), nil
}

// RecordID returns the match of a record without checking the rest. In every version it follows the first byte.
// errUnreadable.
func RecordID(entry []byte) (match.ID, error) {
	u := decoder{rest: entry}
	_ = u.byte()
	id := match.ID(u.text())
	if u.bad {
		return "", errUnreadable
	}
	return id, nil
}

// DecodeRecord decodes a record. [match.ErrNewer], errUnreadable.
func DecodeRecord(entry []byte) (Record, error) {
	id, err := RecordID(entry)
	if err != nil {
		return Record{}, err
	}
	body, err := VerifyChecksum(id, entry)
	if err != nil {
		return Record{}, err
	}
	u := decoder{rest: body[1:], newer: body[0] != recordEntry}
	_ = u.text()
	r := Record{ID: id, Seal: u.number()}
	n := u.number()
	at := int64(0)
	for seq := uint64(1); seq <= n && u.readable(); seq++ {
		at += int64(u.number())
		e := match.Event{Match: id, Seq: seq, At: time.UnixMilli(at)}
		u.event(&e)
		r.Events = append(r.Events, e)
	}
	if err := u.end(); err != nil {
		return Record{}, err
	}
	return r, nil
}
