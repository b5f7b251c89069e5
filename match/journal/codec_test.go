package journal

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

const testID match.ID = "k7h2m5q3xa"

func TestEventsRoundTrip(t *testing.T) {
	for _, want := range journaltest.Events(testID) {
		entry, err := encodeEvent(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, sealed, err := decodeEntry(testID, entry); err != nil || sealed || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v came back as %+v, %v", want, got, err)
		}
		if _, _, err := decodeEntry("k7h2m5q3xb", entry); err == nil {
			t.Errorf("%+v can be read as another match's", want)
		}
	}
	got, sealed, err := decodeEntry(testID, encodeSeal(testID, 12))
	if want := (match.Event{Match: testID, Seq: 12}); err != nil || !sealed || got != want {
		t.Errorf("the seal came back as %+v, %v", got, err)
	}
}

// played is a match as most are.
func played(id match.ID) record {
	events := journaltest.Events(id)
	r := record{id: id, seal: 123_456_789, events: []match.Event{events[1], events[2], events[3]}}
	for ply := range 12 {
		r.events = append(r.events, match.Event{
			Match: id, Kind: match.Moved, Seat: rules.Side(1 + ply%2), Move: rules.Move{Board: uint8(ply % 3), Cell: rules.Cell(1 + ply%9)},
		})
	}
	for i := range r.events {
		r.events[i].Seq = uint64(i + 1)
		r.events[i].At = time.UnixMilli(1_700_000_000_000 + int64(i)*3_137)
	}
	return r
}

func TestRecordsRoundTrip(t *testing.T) {
	want := played(testID)
	body, err := encodeRecord(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decodeRecord(body); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v came back as %+v, %v", want, got, err)
	}
	if len(body) > 250 {
		t.Errorf("a record takes %d bytes", len(body))
	}
}

// Whichever bit is flipped and wherever it is cut off, an entry is refused.
func TestSpoiltEntriesAreRefused(t *testing.T) {
	r, err := encodeRecord(played(testID))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encodeEvent(journaltest.Events(testID)[3])
	if err != nil {
		t.Fatal(err)
	}
	readable := map[string]func([]byte) bool{
		"record": func(b []byte) bool { _, err := decodeRecord(b); return err == nil },
		"event":  func(b []byte) bool { _, _, err := decodeEntry(testID, b); return err == nil },
	}
	for name, entry := range map[string][]byte{"record": r, "event": e} {
		for i := range entry {
			if readable[name](entry[:i]) {
				t.Errorf("a %s of %d bytes is read when %d are there", name, len(entry), i)
			}
			for bit := range 8 {
				spoilt := bytes.Clone(entry)
				spoilt[i] ^= 1 << bit
				if readable[name](spoilt) {
					t.Errorf("a %s is read with bit %d of byte %d flipped", name, bit, i)
				}
			}
		}
	}
}

func TestOtherVersionsAreRefused(t *testing.T) {
	for _, first := range []byte{0, 3, 0x10, 0x12, 0xff} {
		body := seal(testID, []byte{first, 1, byte(match.Left)<<2 | 1, 0})
		if _, _, err := decodeEntry(testID, body); err == nil {
			t.Errorf("an entry of version %d is read", first)
		}
	}
}

func TestUnwritableEvents(t *testing.T) {
	for _, e := range []match.Event{
		{}, {Kind: 64}, {Kind: match.Moved, Seat: 3}, {Kind: match.Moved, Move: rules.Move{Cell: 16}}, {Kind: match.Moved, Move: rules.Move{Board: 128}},
	} {
		if _, err := encodeEvent(e); err == nil {
			t.Errorf("%+v is written", e)
		}
	}
}

// Whatever can be read is written again as something that reads the same.
func FuzzEntries(f *testing.F) {
	for _, e := range journaltest.Events(testID) {
		entry, _ := encodeEvent(e)
		f.Add(entry[:len(entry)-4])
	}
	entry := encodeSeal(testID, 300)
	f.Add(entry[:len(entry)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, _ = decodeEntry(testID, body)
		e, sealed, err := decodeEntry(testID, seal(testID, bytes.Clone(body)))
		if err != nil || sealed {
			return
		}
		entry, err := encodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if again, _, err := decodeEntry(testID, entry); err != nil || again != e {
			t.Errorf("%+v came back as %+v, %v", e, again, err)
		}
	})
}

func FuzzRecords(f *testing.F) {
	body, _ := encodeRecord(played(testID))
	f.Add(body[:len(body)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = decodeRecord(body)
		id, err := recordID(body)
		if err != nil {
			return
		}
		r, err := decodeRecord(seal(id, bytes.Clone(body)))
		if err != nil {
			return
		}
		entry, err := encodeRecord(r)
		if err != nil {
			return // its time goes back, which no log's does
		}
		if again, err := decodeRecord(entry); err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("%+v came back as %+v, %v", r, again, err)
		}
	})
}
