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

// Types of entries and records, in the first byte. Other values belong to newer versions. Every version has the
// checksum at the end, and the ID behind the first byte of a record.
const (
	eventEntry  = 0x01
	eventsEntry = 0x03 // the first events of a match, since format 2
	recordEntry = 0x11
)

// Fields that an event may have, as bits of its first byte of fields.
const (
	hasMove = 1 << iota
	hasVariant
	hasCode
	hasNext
	hasNode
	hasPlayer
	hasOrigin // since format 2
	hasMore   // a second byte of fields follows, since format 3
)

// Bits of the second byte of fields.
const (
	hasClock = 1 << iota
	hasSpent
	hasPair  // pool and game of a rated match
	hasBank  // of a clock of days
	hasOther // OtherWinner and flags, or 0 for OtherVoid, of an event of a game of a pair
)

// Flags of a pair, in the byte of OtherWinner.
const (
	otherMoved = 4 << iota
	sameNetwork
	missedBefore
)

// ErrUnwritable says that an event, or an entry of the registry, cannot be stored.
var ErrUnwritable = errors.New("no match holds such an event")

// EncodeEvents encodes one or more consecutive events of one match as an entry of its log, without their times. The
// entry has the sequence of the first event, the number of events if there are several, and the events. Errors wrap
// [ErrUnwritable].
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

// DecodeEntry decodes the events of an entry. The error is [match.ErrNewer] for an entry of a newer version, or
// errUnreadable.
func DecodeEntry(id match.ID, entry []byte) (events []match.Event, err error) {
	body, err := verifyChecksum(id, entry)
	if err != nil {
		return nil, err
	}
	d := decoder{rest: body[1:]}
	first, n := d.number(), uint64(1)
	switch body[0] {
	case eventEntry:
	case eventsEntry:
		n = d.number()
		d.bad = d.bad || n < 2
	default:
		d.newer = true
	}
	for i := uint64(0); i < n && d.isReadable(); i++ {
		e := match.Event{Match: id, Seq: first + i}
		d.event(&e)
		events = append(events, e)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	return events, nil
}

// appendEvent appends an event without Match, Seq and At. A byte has kind and seat, the next byte has the set of
// fields, and the fields follow.
func appendEvent(b []byte, e match.Event) ([]byte, error) {
	if e.Kind == 0 || e.Kind > 63 || e.Seat > rules.Second || e.Move.Cell > 15 || e.Move.Board > 127 ||
		e.Spent < 0 || e.Spent%time.Millisecond != 0 || !isPairWritable(e) {
		// The code of a table is a secret and must not be in the text.
		return nil, fmt.Errorf("%w: event %d of %s, of kind %d", ErrUnwritable, e.Seq, e.Match, e.Kind)
	}
	has := presentFields(e)
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

func presentFields(e match.Event) (has byte) {
	set := func(is bool, field byte) {
		if is {
			has |= field
		}
	}
	set(e.Move != rules.Move{}, hasMove)
	set(e.Variant.IsValid(), hasVariant)
	set(e.Code != "", hasCode)
	set(e.Next != "", hasNext)
	set(e.Node != "", hasNode)
	set(e.Player != match.Player{}, hasPlayer)
	set(e.Origin != match.UnknownOrigin, hasOrigin)
	set(!e.Clock.IsNone() || e.Spent != 0 || e.Pool.IsRated() || e.Pair != match.PairGame{}, hasMore)
	return has
}

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
	if e.Clock.Bank() != 0 {
		has |= hasBank
	}
	if !e.Pool.IsRated() && e.Pair != (match.PairGame{}) {
		has |= hasOther
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
	if has&hasBank != 0 {
		b = append(b, byte(e.Clock.Bank().Hours()/24))
	}
	if has&hasOther != 0 {
		b = append(b, pairByte(e.Pair))
	}
	return b
}

// pairByte returns OtherWinner with the flags of a pair.
func pairByte(p match.PairGame) byte {
	b := byte(p.OtherWinner)
	if p.OtherMoved {
		b |= otherMoved
	}
	if p.SameNetwork {
		b |= sameNetwork
	}
	if p.MissedBefore {
		b |= missedBefore
	}
	return b
}

func (d *decoder) pairByte(p *match.PairGame) {
	b := d.byte()
	p.OtherMoved, p.SameNetwork, p.MissedBefore = b&otherMoved != 0, b&sameNetwork != 0, b&missedBefore != 0
	p.OtherWinner = rules.Side(b &^ (otherMoved | sameNetwork | missedBefore))
	d.bad = d.bad || p.OtherWinner > rules.Second
}

func (d *decoder) more(e *match.Event) {
	has := d.byte()
	d.newer = d.newer || has >= hasOther<<1
	if has&hasClock != 0 {
		err := e.Clock.UnmarshalText([]byte(d.text()))
		d.newer = d.newer || err != nil && !d.bad
		e.Clock = e.Clock.WithBank(0)
	}
	if has&hasSpent != 0 {
		n := d.number()
		d.bad = d.bad || n > uint64(math.MaxInt64/time.Millisecond)
		e.Spent = time.Duration(n) * time.Millisecond
	}
	if has&hasPair != 0 {
		d.pair(e)
	}
	if has&hasBank != 0 {
		e.Clock = e.Clock.WithBank(d.byte())
		d.bad = d.bad || !e.Clock.IsCorrespondence()
	}
	if has&hasOther != 0 {
		d.pairByte(&e.Pair)
		e.Pair.OtherVoid = e.Pair == match.PairGame{}
		d.bad = d.bad || has&hasPair != 0
	}
}

func (d *decoder) event(e *match.Event) {
	first, has := d.byte(), d.byte()
	e.Kind, e.Seat = match.Kind(first>>2), rules.Side(first&3)
	d.newer = d.newer || e.Kind > match.LastKind
	d.bad = d.bad || e.Kind == 0 || e.Seat > rules.Second
	if has&hasMove != 0 {
		n := d.number()
		d.bad = d.bad || n >= 128<<4
		e.Move = rules.Move{Board: uint8(n >> 4), Cell: rules.Cell(n & 15)}
	}
	if has&hasVariant != 0 {
		e.Variant = d.variant()
	}
	if has&hasCode != 0 {
		e.Code = match.Code(d.text())
	}
	if has&hasNext != 0 {
		e.Next = match.ID(d.text())
	}
	if has&hasNode != 0 {
		e.Node = match.Node(d.text())
	}
	if has&hasPlayer != 0 {
		e.Player = d.player()
	}
	if has&hasOrigin != 0 {
		e.Origin = match.Origin(d.byte())
		d.newer = d.newer || e.Origin > match.LastOrigin
	}
	if has&hasMore != 0 {
		d.more(e)
	}
}

// storedLevel is written as the level of every rung, and the player's ID identifies the rung. Versions before the
// ladder know no rungs, show the player's name, and continue the match at this level.
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

func (d *decoder) player() match.Player {
	p := match.Player{ID: match.PlayerID(d.text()), Name: d.text()}
	level := d.byte()
	p.Guest, p.Level = level&1 != 0, strategy.Level(level>>1)
	d.newer = d.newer || p.Level > strategy.Perfect
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

func (d *decoder) variant() rules.Variant {
	n := d.byte()
	if n == 0 {
		return rules.TicTacToe()
	}
	v, err := rules.Notakto(int(n))
	d.newer = d.newer || err != nil
	return v
}

// isPairWritable reports whether the fields of a pair can be read back. Only a rated match has an opening.
func isPairWritable(e match.Event) bool {
	if !e.Pool.IsRated() {
		o := e.Pair
		only := match.PairGame{
			OtherWinner: o.OtherWinner, OtherVoid: o.OtherVoid, OtherMoved: o.OtherMoved, SameNetwork: o.SameNetwork,
			MissedBefore: o.MissedBefore,
		}
		return o == only && o.OtherWinner <= rules.Second && (!o.OtherVoid || pairByte(o) == 0)
	}
	start, err := rules.ParsePosition(e.Pair.Start.String())
	return err == nil && start == e.Pair.Start && e.Pool <= match.LastPool && e.Pair.OtherWinner <= rules.Second &&
		!e.Pair.OtherMoved && !e.Pair.MissedBefore
}

func appendPair(b []byte, e match.Event) []byte {
	b = append(b, byte(e.Pool), pairByte(e.Pair))
	for _, text := range [...]string{e.Pair.Seed, e.Pair.Start.String(), string(e.Pair.First)} {
		b = appendText(b, text)
	}
	return b
}

func (d *decoder) pair(e *match.Event) {
	e.Pool = match.Pool(d.byte())
	d.pairByte(&e.Pair)
	d.newer = d.newer || e.Pool > match.LastPool
	d.bad = d.bad || !e.Pool.IsRated() || e.Pair.OtherMoved || e.Pair.MissedBefore
	e.Pair.Seed = d.text()
	start, err := rules.ParsePosition(d.text())
	e.Pair.Start, e.Pair.First = start, match.ID(d.text())
	d.newer = d.newer || err != nil && !d.bad // other boards
}

// Record is a finished match in the archive.
type Record struct {
	ID     match.ID
	Events []match.Event
}

// EncodeRecord encodes a record. A time is written in milliseconds since the event before. Errors wrap
// [ErrUnwritable], also if an event is earlier than the one before.
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

// recordID returns the match of a record without checking the rest. The error is errUnreadable.
func recordID(entry []byte) (match.ID, error) {
	d := decoder{rest: entry}
	_ = d.byte()
	id := match.ID(d.text())
	if d.bad {
		return "", errUnreadable
	}
	return id, nil
}

// DecodeRecord decodes a record. The error is [match.ErrNewer] for a record of a newer version, or errUnreadable.
func DecodeRecord(entry []byte) (Record, error) {
	id, err := recordID(entry)
	if err != nil {
		return Record{}, err
	}
	body, err := verifyChecksum(id, entry)
	if err != nil {
		return Record{}, err
	}
	d := decoder{rest: body[1:], newer: body[0] != recordEntry}
	_ = d.text()
	_ = d.number()
	r, n := Record{ID: id}, d.number()
	at := int64(0)
	for seq := uint64(1); seq <= n && d.isReadable(); seq++ {
		at += int64(d.number())
		e := match.Event{Match: id, Seq: seq, At: time.UnixMilli(at)}
		d.event(&e)
		r.Events = append(r.Events, e)
	}
	if err := d.end(); err != nil {
		return Record{}, err
	}
	return r, nil
}

// errUnreadable says that an entry or a record is damaged.
var errUnreadable = errors.New("it cannot be read")

// checksum includes the match's ID, to detect an entry of another match.
func checksum(id match.ID, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum([]byte(id), table), table, body)
}

func appendChecksum(id match.ID, body []byte) []byte {
	return binary.BigEndian.AppendUint32(body, checksum(id, body))
}

// verifyChecksum returns an entry without its checksum. The error is errUnreadable.
func verifyChecksum(id match.ID, entry []byte) ([]byte, error) {
	n := len(entry) - 4
	if n < 1 || binary.BigEndian.Uint32(entry[n:]) != checksum(id, entry[:n]) {
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
	newer bool // a newer version wrote a value that this one cannot decode
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.bad = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) text() string {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return ""
	}
	text := string(d.rest[:n])
	d.rest = d.rest[n:]
	return text
}

func (d *decoder) isReadable() bool { return !d.bad && !d.newer }

// end returns [match.ErrNewer], errUnreadable if bytes were missing or are left, or nil.
func (d *decoder) end() error {
	switch {
	case d.newer:
		return match.ErrNewer
	case d.bad || len(d.rest) > 0:
		return errUnreadable
	}
	return nil
}
