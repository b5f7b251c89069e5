package journal

import (
	"encoding/binary"
	"errors"
	"fmt"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// The first byte of an entry says what it is and in which version it is written. Others are refused.
const (
	eventEntry  = 0x01
	sealEntry   = 0x02
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
)

var errUnwritable = errors.New("no match holds such an event")

// encodeEvent writes an event for the log of its match. The time is the log's to give.
func encodeEvent(e match.Event) ([]byte, error) {
	b, err := appendEvent(binary.AppendUvarint([]byte{eventEntry}, e.Seq), e)
	return seal(e.Match, b), err
}

// encodeSeal writes what ends the log of a match after its event n.
func encodeSeal(id match.ID, n uint64) []byte {
	return seal(id, binary.AppendUvarint([]byte{sealEntry}, n))
}

// decodeEntry reads an event without its time, or a seal, of which only Match and Seq are set.
func decodeEntry(id match.ID, entry []byte) (e match.Event, sealed bool, err error) {
	body, err := unseal(id, entry)
	if err != nil {
		return match.Event{}, false, err
	}
	u := unread{left: body[1:]}
	e = match.Event{Match: id, Seq: u.number()}
	switch body[0] {
	case eventEntry:
		u.event(&e)
	case sealEntry:
		sealed = true
	default:
		u.bad = true
	}
	if !u.whole() {
		return match.Event{}, false, errUnreadable
	}
	return e, sealed, nil
}

// appendEvent writes everything but Match, Seq and At: kind and seat in a byte, which fields follow in another, then these.
func appendEvent(b []byte, e match.Event) ([]byte, error) {
	if e.Kind == 0 || e.Kind > 63 || e.Seat > rules.Second || e.Move.Cell > 15 || e.Move.Board > 127 {
		return nil, fmt.Errorf("%w: %+v", errUnwritable, e)
	}
	var has byte
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
	return b, nil
}

func (u *unread) event(e *match.Event) {
	first, has := u.octet(), u.octet()
	e.Kind, e.Seat = match.Kind(first>>2), rules.Side(first&3)
	u.bad = u.bad || e.Kind == 0 || e.Seat > rules.Second || has >= hasPlayer<<1
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
}

func appendPlayer(b []byte, p match.Player) []byte {
	level := byte(p.Level) << 1
	if p.Guest {
		level |= 1
	}
	return append(appendText(appendText(b, p.ID), p.Name), level)
}

func (u *unread) player() match.Player {
	p := match.Player{ID: match.PlayerID(u.text()), Name: u.text()}
	level := u.octet()
	p.Guest, p.Level = level&1 != 0, strategy.Level(level>>1)
	return p
}

// variantByte is the number of boards, or 0 for tic-tac-toe.
func variantByte(v rules.Variant) byte {
	if v.IsTicTacToe() {
		return 0
	}
	return byte(v.Boards())
}

func (u *unread) variant() rules.Variant {
	n := u.octet()
	if n == 0 {
		return rules.TicTacToe()
	}
	v, err := rules.Notakto(int(n))
	u.bad = u.bad || err != nil
	return v
}
