//go:build attack

package main

import (
	"encoding/binary"
	"time"

	"notakto/internal/wire"
)

// wrongPackets returns packets that are invalid on a connection with one channel, whose number is given.
func wrongPackets(channel uint32) [][][]byte {
	huge := []byte{0xff, 0xff, 0xff, 0xff}
	open := wire.Open("session", 0, 1<<20)
	nine := binary.BigEndian.AppendUint32(nil, 9)
	return [][][]byte{
		{{81}, {82}, {81, 1, 2, 3}},
		{wire.About(wire.MsgDone, channel), wire.About(wire.MsgFailed, channel)},
		{wire.About(wire.MsgDone, 77), wire.Data(88, []byte("x")), wire.About(wire.MsgClose, 99)},
		{open, wire.Data(channel+1, []byte("x"))},
		{wire.About(wire.MsgEOF, channel), wire.About(wire.MsgEOF, channel), wire.Data(channel, []byte("after the end"))},
		{wire.About(wire.MsgClose, channel), wire.About(wire.MsgClose, channel)},
		{wire.About(wire.MsgData, channel, append(huge, 'x')...)},
		{{wire.MsgData, 0}, {}},
		{wire.About(wire.MsgAdjust, channel, huge...), wire.About(wire.MsgAdjust, channel, huge...)},
		{wire.About(91, channel, make([]byte, 12)...), wire.About(92, channel, make([]byte, 12)...)},
		{wire.About(98, channel, 0, 0, 0, 50)},
		{wire.Data(channel, make([]byte, 100<<10)), wire.Data(channel, make([]byte, 200<<10))},
		{wire.About(95, channel, append(nine, nine...)...)},
		{{50}, {52}, {60}, {61}, {5}, {6}, {7}},
		{{20, 1, 2}}, {{21}}, {{30, 0, 0, 0, 1, 4}}, {{255}, {0}, {127}}, {{1}}, {{2}, {3}, {4}},
	}
}

// packets sends them before and after the shell.
func (e *enemy) packets() error {
	n := len(wrongPackets(0))
	e.many(2*n*e.pick(2, 20), 4, func(i int) {
		conn, err := e.inside(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = conn.Close() }()
		begin := conn.Session
		if i/n%2 == 1 {
			begin = conn.Play
		}
		channel, err := begin(0, 1<<20)
		if err != nil {
			e.fault("open: %v", err)
			return
		}
		for _, packet := range wrongPackets(channel)[i%n] {
			_ = conn.Send(packet)
		}
		closed(conn, 100*time.Millisecond)
	})
	e.figure("%d kinds, before and after the shell", n)
	return nil
}
