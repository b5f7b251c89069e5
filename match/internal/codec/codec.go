package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// The first byte of an entry is its type and version. Other values belong to newer versions. The checksum at the end,
// and the ID behind the first byte of a record, are the same in every version.
const (
	eventEntry  = 0x01
	eventsEntry = 0x03 // the first events of a match; since format 2
	recordEntry = 0x11
)

// The fields that an event may have.
const (
	hasMove = 1 << iota
	hasVariant
	hasCode
	hasNext
	hasNode
	hasPlayer
	hasOrigin // since format 2
	hasMore   // since format 3: another byte of fields follows
)

// The fields of that byte.
const (
	hasClock = 1 << iota
	hasSpent
	hasPair // pool and game of a rated match
)

// ErrUnwritable says that an event, or an entry of the registry, cannot be stored.
var ErrUnwritable = errors.New("no match holds such an event")

// EncodeEvents encodes events of one match as one entry of its log, without their time. The entry has the sequence of
// the first event, the number of events if there are several, and the events.
func EncodeEvents(events []match.Event) (b []byte, err error) {
	first := events[0]
	if len(events) == 1 {
		b = binary.AppendUvarint([]byte{eventEntry}, first.Seq)
	} else {
		b = binary.AppendUvarint(binary.AppendUvarint([]byte{eventsEntry}, first.Seq), uint64(len(events)))
	}
	for i, e := range events {
		if e.Match != first.Match || e.Seq != first.Seq+uint64(i) {
			return nil, fmt.Errorf("%w: event %d of %s after event %d of %s", ErrUnwritable, e.Seq, e.Match, first.Seq,
				first.Match)
		}
		if b, err = appendEvent(b, e); err != nil {
			return nil, err
		}
	}
	return appendChecksum(first.Match, b), nil
}

// DecodeEntry decodes events. [match.ErrNewer], errUnreadable.
func DecodeEntry(id match.ID, entry []byte) (events []match.Event, err error) {
	body, err := VerifyChecksum(id, entry)
	if err != nil {
		return nil, err
	}
	u := decoder{rest: body[1:]}
	first, n := u.number(), uint64(1)
	switch body[0] {
	case eventEntry:
	case eventsEntry:
		n = u.number()
		u.bad = u.bad || n < 2
	default:
		u.newer = true
	}
	for i := uint64(0); i < n && u.readable(); i++ {
		e := match.Event{Match: id, Seq: first + i}
		u.event(&e)
		events = append(events, e)
	}
	if err := u.end(); err != nil {
		return nil, err
	}
	return events, nil
}

// appendEvent appends an event without Match, Seq and At. It writes kind and seat in a byte, the set of further fields
// in another byte, and the fields.
func appendEvent(b []byte, e match.Event) ([]byte, error) {
	if e.Kind == 0 || e.Kind > 63 || e.Seat > rules.Second || e.Move.Cell > 15 || e.Move.Board > 127 ||
		e.Spent < 0 || e.Spent%time.Millisecond != 0 || !isPairWritable(e) {
		// its code is a secret
		return nil, fmt.Errorf("%w: event %d of %s, of kind %d", ErrUnwritable, e.Seq, e.Match, e.Kind)
	}
	has := fields(e)
	b = append(b, byte(e.Kind)<<2|byte(e.Seat), has)
	if has&hasMove != 0 {
		b = binary.AppendUvarint(b, uint64(e.Move.Board)<<4|uint64(e.Move.Cell))
	}
	if has&hasVariant != 0 {
		b = append(b, variantByte(e.Variant))
	}
	for i, text := range [...]string{string(e.Code), string(e.Next), string(e.Node)} {
		if has&(hasCode<<i) != 0 {
			b = appendText(b, text)
		}
	}
	if has&hasPlayer != 0 {
		b = appendPlayer(b, e.Player)
	}
	if has&hasOrigin != 0 {
		b = append(b, byte(e.Origin))
	}
	if has&hasMore != 0 {
		b = appendMore(b, e)
	}
	return b, nil
}

// fields returns which fields of an event are written.
func fields(e match.Event) (has byte) {
	set := func(is bool, field byte) {
		if is {
			has |= field
		}
	}
	set(e.Move != rules.Move{}, hasMove)
	set(e.Variant.Valid(), hasVariant)
	set(e.Code != "", hasCode)
	set(e.Next != "", hasNext)
	set(e.Node != "", hasNode)
	set(e.Player != match.Player{}, hasPlayer)
	set(e.Origin != match.UnknownOrigin, hasOrigin)
	set(!e.Clock.IsNone() || e.Spent != 0 || e.Pool.IsRated(), hasMore)
	return has
}

// appendMore appends the fields that have no bit in the first byte of fields.
func appendMore(b []byte, e match.Event) []byte {
	var has byte
	if !e.Clock.IsNone() {
		has |= hasClock
	}
	if e.Spent != 0 {
		has |= hasSpent
	}
	if e.Pool.IsRated() {
		has |= hasPair
	}
	b = append(b, has)
	if has&hasClock != 0 {
		b = appendText(b, e.Clock.String())
	}
	if has&hasSpent != 0 {
		b = binary.AppendUvarint(b, uint64(e.Spent/time.Millisecond))
	}
	if has&hasPair != 0 {
		b = appendPair(b, e)
	}
	return b
}

func (u *decoder) more(e *match.Event) {
	has := u.byte()
	u.newer = u.newer || has >= hasPair<<1
	if has&hasClock != 0 {
		err := e.Clock.UnmarshalText([]byte(u.text()))
		u.newer = u.newer || err != nil && !u.bad
	}
	if has&hasSpent != 0 {
		n := u.number()
		u.bad = u.bad || n > uint64(math.MaxInt64/time.Millisecond)
		e.Spent = time.Duration(n) * time.Millisecond
	}
	if has&hasPair != 0 {
		u.pair(e)
	}
}

func (u *decoder) event(e *match.Event) {
	first, has := u.byte(), u.byte()
	e.Kind, e.Seat = match.Kind(first>>2), rules.Side(first&3)
	u.newer = u.newer || e.Kind > match.LastKind
	u.bad = u.bad || e.Kind == 0 || e.Seat > rules.Second
	if has&hasMove != 0 {
		n := u.number()
		u.bad = u.bad || n >= 128<<4
		e.Move = rules.Move{Board: uint8(n >> 4), Cell: rules.Cell(n & 15)}
	}
	if has&hasVariant != 0 {
		e.Variant = u.variant()
	}
	if has&hasCode != 0 {
		e.Code = match.Code(u.text())
	}
	if has&hasNext != 0 {
		e.Next = match.ID(u.text())
	}
	if has&hasNode != 0 {
		e.Node = match.Node(u.text())
	}
	if has&hasPlayer != 0 {
		e.Player = u.player()
	}
	if has&hasOrigin != 0 {
		e.Origin = match.Origin(u.byte())
		u.newer = u.newer || e.Origin > match.LastOrigin
	}
	if has&hasMore != 0 {
		u.more(e)
	}
}

// storedLevel is written as the level of every rung. The player's ID identifies the rung. Versions before the ladder
// know no rungs. They show the player's name, and continue the match at this level.
const storedLevel = strategy.Club

func appendPlayer(b []byte, p match.Player) []byte {
	level := byte(p.Level) << 1
	if p.Level > strategy.Perfect {
		level = byte(storedLevel) << 1
	}
	if p.Guest {
		level |= 1
	}
	return append(appendText(appendText(b, p.ID), p.Name), level)
}

func (u *decoder) player() match.Player {
	p := match.Player{ID: match.PlayerID(u.text()), Name: u.text()}
	level := u.byte()
	p.Guest, p.Level = level&1 != 0, strategy.Level(level>>1)
	u.newer = u.newer || p.Level > strategy.Perfect
	if p.Level == storedLevel {
		for _, level := range strategy.Ladder() {
			if level > strategy.Perfect && match.Computer(level).ID == p.ID {
				p.Level = level
			}
		}
	}
	return p
}

// variantByte returns the number of boards, or 0 for tic-tac-toe.
func variantByte(v rules.Variant) byte {
	if v.IsTicTacToe() {
		return 0
	}
	return byte(v.Boards())
}

func (u *decoder) variant() rules.Variant {
	n := u.byte()
	if n == 0 {
		return rules.TicTacToe()
	}
	v, err := rules.Notakto(int(n))
	u.newer = u.newer || err != nil
	return v
}

// isPairWritable reports whether the fields of a pair can be read back. A rated match has an opening, and no other
// match has one.
func isPairWritable(e match.Event) bool {
	if !e.Pool.IsRated() {
		return e.Pair == match.PairGame{}
	}
	start, err := rules.ParsePosition(e.Pair.Start.String())
	return err == nil && start == e.Pair.Start && e.Pool <= match.LastPool && e.Pair.FirstWinner <= rules.Second
}

// appendPair appends the pool of a rated match, and which game of its pair it is.
func appendPair(b []byte, e match.Event) []byte {
	b = append(b, byte(e.Pool), byte(e.Pair.FirstWinner))
	for _, text := range [...]string{e.Pair.Seed, e.Pair.Start.String(), string(e.Pair.First)} {
		b = appendText(b, text)
	}
	return b
}

func (u *decoder) pair(e *match.Event) {
	e.Pool, e.Pair.FirstWinner = match.Pool(u.byte()), rules.Side(u.byte())
	u.newer = u.newer || e.Pool > match.LastPool
	u.bad = u.bad || !e.Pool.IsRated() || e.Pair.FirstWinner > rules.Second
	e.Pair.Seed = u.text()
	start, err := rules.ParsePosition(u.text())
	e.Pair.Start, e.Pair.First = start, match.ID(u.text())
	u.newer = u.newer || err != nil && !u.bad // other boards
}

// Record is a finished match in the archive.
type Record struct {
	ID     match.ID
	Events []match.Event
}

// EncodeRecord encodes a record. Times are milliseconds since the event before.
func EncodeRecord(r Record) ([]byte, error) {
	b := appendText([]byte{recordEntry}, r.ID)
	b = append(b, 0) // release 1.0 has another number here
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
	_ = u.number()
	r, n := Record{ID: id}, u.number()
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

// errUnreadable says that an entry is damaged.
var errUnreadable = errors.New("it cannot be read")

// sum returns the checksum of an entry and the match's ID. With the ID, the checksum detects an entry of another match.
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
	newer bool // a newer version wrote something that this one cannot decode
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
