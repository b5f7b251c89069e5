package journal

import (
	"encoding/binary"
	"fmt"
	"time"

	"notakto/match"
)

// record is a finished match as the archive keeps it.
type record struct {
	id     match.ID
	seal   uint64 // the sequence of the seal in the stream of live matches
	events []match.Event
}

// encodeRecord writes a record: times as milliseconds since the event before, which is what the log's stamps are cut
// to.
func encodeRecord(r record) ([]byte, error) {
	b := appendText([]byte{recordEntry}, r.id)
	b = binary.AppendUvarint(b, r.seal)
	b = binary.AppendUvarint(b, uint64(len(r.events)))
	var err error
	before := int64(0)
	for _, e := range r.events {
		at := e.At.UnixMilli()
		if at < before {
			return nil, fmt.Errorf("%w: event %d of %s is before the one before", errUnwritable, e.Seq, r.id)
		}
		b = binary.AppendUvarint(b, uint64(at-before))
		before = at
		if b, err = appendEvent(b, e); err != nil {
			return nil, err
		}
	}
	return appendChecksum(r.id, b), nil
}

// recordID is whose record it is, without a look at the rest. In every version it comes behind the first byte.
// errUnreadable.
func recordID(entry []byte) (match.ID, error) {
	u := decoder{rest: entry}
	_ = u.byte()
	id := match.ID(u.text())
	if u.bad {
		return "", errUnreadable
	}
	return id, nil
}

func decodeRecord(entry []byte) (record, error) {
	id, err := recordID(entry)
	if err != nil {
		return record{}, err
	}
	body, err := verifyChecksum(id, entry)
	if err != nil {
		return record{}, err
	}
	u := decoder{rest: body[1:], newer: body[0] != recordEntry}
	_ = u.text()
	r := record{id: id, seal: u.number()}
	n := u.number()
	at := int64(0)
	for seq := uint64(1); seq <= n && u.readable(); seq++ {
		at += int64(u.number())
		e := match.Event{Match: id, Seq: seq, At: time.UnixMilli(at)}
		u.event(&e)
		r.events = append(r.events, e)
	}
	if err := u.end(); err != nil {
		return record{}, err
	}
	return r, nil
}
