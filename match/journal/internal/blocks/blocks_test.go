package blocks

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"
)

// The stamps of the first and the last record are not enough if the clock was set back between them, and a record whose
// subject is damaged still has its stamp.
func TestTornTailGoesByEveryStamp(t *testing.T) {
	record := func(subject string, at time.Duration) []byte {
		b := make([]byte, recordHead, recordHead+len(subject)+recordChecksum)
		binary.LittleEndian.PutUint32(b, uint32(cap(b)))
		binary.LittleEndian.PutUint64(b[12:], uint64(time.Hour+at))
		binary.LittleEndian.PutUint16(b[20:], uint16(len(subject)))
		return append(append(b, subject...), make([]byte, recordChecksum)...)
	}
	const subject, damaged = "notakto.match.a", "x"
	for name, test := range map[string]struct {
		records [][]byte
		torn    bool
	}{
		"at once":                   {[][]byte{record(subject, 0), record(subject, time.Second)}, true},
		"alone":                     {[][]byte{record(damaged, 0)}, true},
		"long before":               {[][]byte{record(subject, 0), record(subject, time.Hour)}, false},
		"long before, by its stamp": {[][]byte{record(damaged, 0), record(subject, time.Hour)}, false},
		"the clock was set, and back": {
			[][]byte{record(subject, 0), record(subject, time.Hour), record(subject, time.Second)}, false,
		},
		"without a stamp": {[][]byte{record(damaged, -time.Hour), record(subject, time.Hour)}, true},
	} {
		if got := isTornTail(slices.Concat(test.records...), "notakto."); got != test.torn {
			t.Errorf("%s: torn %t", name, got)
		}
	}
}
