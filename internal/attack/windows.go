//go:build attack

package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"notakto/internal/botclient"
	"notakto/internal/wire"
)

func windowAttacks() []attack {
	return []attack{
		{name: "sizes", memory: 6, run: (*enemy).sizes, holds: "no size costs memory, asked for, changed to or typed"},
		{name: "resizes", memory: 6, run: (*enemy).resizes,
			holds: "at most 10 sizes a second are drawn; who sends a thousand is closed"},
	}
}

// sizes requests each pair of bad sizes and changes to every other.
func (e *enemy) sizes() error {
	values := []uint32{0, 1, math.MaxUint16, math.MaxInt32, math.MaxUint32}
	e.many(len(values)*len(values), 5, func(i int) {
		columns, rows := values[i/len(values)], values[i%len(values)]
		client, shell, err := e.unasked(i)
		if err != nil {
			e.fault("open: %v", err)
			return
		}
		defer func() { _ = client.Close() }()
		enterGame(shell, columns, rows)
		for _, c := range values {
			for _, r := range values {
				_, _ = shell.SendRequest("window-change", false, wire.Size(c, r))
				_, _ = fmt.Fprintf(shell, "\x1b[8;%d;%dt\x1b[48;%d;%d;1;1t", r, c, r, c)
			}
		}
		_, _ = shell.SendRequest("window-change", false, wire.Size(80, 24))
		if firstScreen(e, shell) == "" {
			e.fault("%dx%d: nothing is shown", columns, rows)
		}
	})
	e.figure("%d sizes, each changed to every other", len(values)*len(values))
	return nil
}

// resizes changes sizes as fast as is allowed, then a thousand times a second, before a shell, in a game and at its
// end.
func (e *enemy) resizes() error {
	client, err := e.polite(0)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	shell, err := botclient.Start(client, "xterm-256color", "play --computer random")
	if err != nil {
		return err
	}
	lasting := time.Duration(e.pick(2, 10)) * time.Second
	drawn := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(shell)
		drawn <- string(text)
	}()
	begun := time.Now()
	for n := uint32(0); time.Since(begun) < lasting; n++ {
		<-time.After(time.Second / 90)
		if _, err := shell.SendRequest("window-change", false, wire.Size(60+n%40, 24+n%10)); err != nil {
			return fmt.Errorf("90 sizes a second: %w", err)
		}
	}
	_ = shell.Close()
	_ = client.Close()
	redraws := strings.Count(<-drawn, "\x1b[H\x1b[J")
	e.figure("%d drawn in %v at 90 a second", redraws, lasting)
	if most := 11*int(lasting.Seconds()) + 2; redraws > most || redraws == 0 {
		e.fault("%d sizes were drawn in %v", redraws, lasting)
	}
	e.storms()
	return nil
}
