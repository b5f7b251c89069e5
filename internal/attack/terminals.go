//go:build attack

package main

import (
	"context"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

// openScreen opens a screen and reads its first output, which must not contain a mark.
func (e *enemy) openScreen(n int, term, command string) error {
	client, err := e.polite(n)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	shell, err := botclient.Start(client, term, command)
	if err != nil {
		return err
	}
	text := firstScreen(e, shell)
	for _, mark := range marks() {
		if strings.Contains(text, mark) {
			e.fault("%q is sent to a screen", mark)
		}
	}
	if text == "" {
		e.fault("nothing is shown on %.40q", term)
	}
	return nil
}

// firstScreen returns the output until there is none for a moment.
func firstScreen(ctx context.Context, shell ssh.Channel) string {
	const moment = 200 * time.Millisecond
	var text strings.Builder
	quiet := time.AfterFunc(5*time.Second, func() { _ = shell.Close() })
	defer quiet.Stop()
	defer context.AfterFunc(ctx, func() { _ = shell.Close() })()
	for buffer := make([]byte, 32<<10); ; {
		n, err := shell.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return text.String()
		}
		quiet.Reset(moment)
	}
}

// terminals requests terminals with invalid names.
func (e *enemy) terminals() error {
	all := append([]string{
		"x", "dumb", "unknown-terminal", strings.Repeat("x", 200<<10), strings.Repeat("\x1b[", 1000), "xterm\x1b[2J",
		"../../x", "%s", "vt52", "xterm\n", "\xff",
	}, marks()...)
	e.many(len(all), 4, func(i int) {
		if err := e.openScreen(i, all[i], "play --computer random"); err != nil && len(all[i]) <= tooLong {
			e.fault("%.40q: %v", all[i], err)
		}
	})
	e.figure("%d terminals", len(all))
	return nil
}
