package codec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
)

const testID match.ID = "k7h2m5q3xa"

func encode(t *testing.T, events ...match.Event) []byte {
	t.Helper()
	entry, err := EncodeEvents(events)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// The contract of journals checks that each kind of event comes back as it was.
func TestEntriesOfOtherMatchesAreRefused(t *testing.T) {
	all := journaltest.Events(testID)
	entry := encode(t, all[1:4]...)
	if got, err := DecodeEntry(testID, entry); err != nil || !reflect.DeepEqual(got, all[1:4]) {
		t.Errorf("%+v came back as %+v, %v", all[1:4], got, err)
	}
	if _, err := DecodeEntry("k7h2m5q3xb", entry); err == nil {
		t.Error("an entry can be read as another match's")
	}
	gap, other := slices.Clone(all[1:4]), slices.Clone(all[1:4])
	gap[2].Seq++
	other[1].Match = "k7h2m5q3xb"
	for _, events := range [][]match.Event{gap, other} {
		if _, err := EncodeEvents(events); err == nil {
			t.Errorf("%+v are written as one entry", events)
		}
	}
}

// An entry of a version before the bank.
func TestAClockOfAnOlderVersionHasNoBank(t *testing.T) {
	opened := match.Event{Match: testID, Seq: 1, Kind: match.Opened, Terms: match.DefaultTerms()}
	clock, err := match.Correspondence(2)
	if err != nil {
		t.Fatal(err)
	}
	opened.Clock = clock.WithBank(0)
	entry := encode(t, opened)
	if want := append([]byte{hasClock}, "\x022d"...); !bytes.Contains(entry, want) {
		t.Errorf("without a bank the entry is %x, want %x in it", entry, want)
	}
	if got, err := DecodeEntry(testID, entry); err != nil || got[0].Clock != opened.Clock || got[0].Clock == clock {
		t.Errorf("it came back as %+v, %v", got, err)
	}
}

// The byte of a level never changed, and an older version reads a level that it can play.
func TestComputersAreStoredForOlderVersions(t *testing.T) {
	stored := map[strategy.Level]byte{
		strategy.Random: 1, strategy.Student: 2, strategy.Center: 3, strategy.Club: 4, strategy.Perfect: 5,
	}
	for _, level := range strategy.Levels() {
		want := match.Computer(level)
		b := appendPlayer(nil, want)
		if got, before := b[len(b)-1], cmp.Or(stored[level], stored[strategy.Club]); got != before<<1 {
			t.Errorf("the level %v is stored as %d, want %d", level, got, before<<1)
		}
		d := decoder{rest: b}
		if got := d.player(); got != want || d.end() != nil {
			t.Errorf("%+v came back as %+v, %v", want, got, d.end())
		}
	}
}

func playedRecord() Record {
	return Record{ID: testID, Events: journaltest.Played(testID)}
}

// An entry with a flipped bit anywhere, or truncated at any byte, is refused.
func TestSpoiltEntriesAreRefused(t *testing.T) {
	r, err := EncodeRecord(playedRecord())
	if err != nil || len(r) > 250 {
		t.Fatalf("a record takes %d bytes, %v", len(r), err)
	}
	readable := map[string]func([]byte) bool{
		"record": func(b []byte) bool { _, err := DecodeRecord(b); return !errors.Is(err, errUnreadable) },
		"event":  func(b []byte) bool { _, err := DecodeEntry(testID, b); return !errors.Is(err, errUnreadable) },
	}
	readable["events"] = readable["event"]
	for name, entry := range map[string][]byte{
		"record": r,
		"event":  encode(t, journaltest.Events(testID)[3]),
		"events": encode(t, journaltest.Events(testID)[1:4]...),
	} {
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

// An entry of a newer version with a correct checksum is not reported as damage.
func TestNewerEntriesDifferFromDamage(t *testing.T) {
	kind := byte(match.Left)<<2 | 1
	for name, body := range map[string][]byte{
		"an unknown version": {0x04, 1, kind, 0},
		"an unknown kind":    {eventEntry, 1, byte(match.LastKind+1)<<2 | 1, 0},
		"an unknown field":   {eventEntry, 1, kind, hasMore, 1 << 7},
		"an unknown clock":   {eventEntry, 1, byte(match.Opened) << 2, hasMore, hasClock, 2, '9', 'x'},
		"an unknown pool": {
			eventEntry, 1, byte(match.Opened) << 2, hasMore, hasPair, byte(match.LastPool) + 1, 0, 1, 's', 9, '.', '.',
			'.', '.', '.', '.', '.', '.', '.', 0,
		},
		"an unknown opening": {eventEntry, 1, byte(match.Opened) << 2, hasMore, hasPair, 1, 0, 1, 's', 2, '.', '.', 0},
		"an unknown level":   {eventEntry, 1, byte(match.Seated)<<2 | 1, hasPlayer, 1, 'x', 1, 'x', 6 << 1},
		"an unknown variant": {eventEntry, 1, byte(match.Opened) << 2, hasVariant, 200},
	} {
		if _, err := DecodeEntry(testID, appendChecksum(testID, body)); !errors.Is(err, match.ErrNewer) {
			t.Errorf("an entry of %s: %v", name, err)
		}
		damaged := appendChecksum(testID, body)
		damaged[0] ^= 0x80
		if _, err := DecodeEntry(testID, damaged); !errors.Is(err, errUnreadable) {
			t.Errorf("a damaged entry of %s: %v", name, err)
		}
	}
	newer := appendChecksum(testID, appendText([]byte{recordEntry + 1}, testID))
	if _, err := DecodeRecord(newer); !errors.Is(err, match.ErrNewer) {
		t.Errorf("a record of an unknown version: %v", err)
	}
}

func TestUnwritableEvents(t *testing.T) {
	for _, e := range []match.Event{
		{}, {Kind: 64}, {Kind: match.Moved, Seat: 3}, {Kind: match.Moved, Move: rules.Move{Cell: 16}},
		{Kind: match.Moved, Move: rules.Move{Board: 128}},
		{Kind: match.Moved, Spent: -time.Millisecond}, {Kind: match.Moved, Spent: time.Microsecond},
		{Kind: match.Opened, Pair: match.FirstGame("seed")}, {Kind: match.Opened, Terms: match.RatedTerms(match.PeoplePool)},
	} {
		if _, err := EncodeEvents([]match.Event{e}); err == nil {
			t.Errorf("%+v is written", e)
		}
	}
}

// Events that were decoded from an entry survive being encoded and decoded again.
func FuzzEntries(f *testing.F) {
	for i := range journaltest.Events(testID) {
		entry, _ := EncodeEvents(journaltest.Events(testID)[i : i+1])
		f.Add(entry[:len(entry)-4])
	}
	entry, _ := EncodeEvents(journaltest.Events(testID))
	f.Add(entry[:len(entry)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = DecodeEntry(testID, body)
		events, err := DecodeEntry(testID, appendChecksum(testID, bytes.Clone(body)))
		if err != nil {
			return
		}
		entry, err := EncodeEvents(events)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := DecodeEntry(testID, entry); err != nil || !slices.Equal(again, events) {
			t.Errorf("%+v came back as %+v, %v", events, again, err)
		}
	})
}

func FuzzRecords(f *testing.F) {
	body, _ := EncodeRecord(playedRecord())
	f.Add(body[:len(body)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = DecodeRecord(body)
		id, err := recordID(body)
		if err != nil {
			return
		}
		r, err := DecodeRecord(appendChecksum(id, bytes.Clone(body)))
		if err != nil {
			return
		}
		entry, err := EncodeRecord(r)
		if err != nil {
			return // its times go back, but those of a log never do
		}
		if again, err := DecodeRecord(entry); err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Errorf("%+v came back as %+v, %v", r, again, err)
		}
	})
}
