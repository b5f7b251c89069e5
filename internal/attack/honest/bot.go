//go:build attack

package honest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"golang.org/x/crypto/ssh"
)

// Line is a line of the bot protocol, as far as it matters here.
type Line struct {
	Do      string   `json:"do,omitempty"`
	Event   string   `json:"event,omitempty"`
	Match   string   `json:"match,omitempty"`
	Variant string   `json:"variant,omitempty"`
	Code    string   `json:"code,omitempty"` // of a table, or of an error
	Move    string   `json:"move,omitempty"`
	Level   string   `json:"level,omitempty"`
	Seat    int      `json:"seat,omitempty"`
	Ply     int      `json:"ply,omitempty"`
	N       int      `json:"n,omitempty"`
	Moves   []string `json:"moves,omitempty"`
	Over    bool     `json:"over,omitempty"`
	Winner  int      `json:"winner,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Message string   `json:"message,omitempty"`
	Present bool     `json:"present,omitempty"`
	Players []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"players,omitempty"`
}

const (
	eventTimeout = 15 * time.Second // for an event
	unread       = 256              // lines
	maxLine      = 64 << 10
)

var (
	errGone = errors.New("the connection was cut")
	errLate = fmt.Errorf("nothing came for %v", eventTimeout)
)

// Bot is a bot at its door. It is for one goroutine.
type Bot struct {
	client *ssh.Client
	shell  ssh.Channel
	ended  chan Line // closed when nothing more comes
}

// NewBot logs in and waits for the welcome.
func NewBot(ctx context.Context, source net.IP, address, name string, key ssh.Signer) (*Bot, error) {
	client, err := Login(ctx, source, address, name, key)
	if err != nil {
		return nil, err
	}
	shell, err := Open(client, "", "bot")
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	b := &Bot{client, shell, make(chan Line, unread)}
	go b.read()
	if _, err := b.Expect("welcome"); err != nil {
		b.Leave()
		return nil, err
	}
	return b, nil
}

func (b *Bot) read() {
	defer close(b.ended)
	lines := bufio.NewScanner(b.shell)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var line Line
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			b.ended <- line
		}
	}
}

// Say sends a line.
func (b *Bot) Say(line Line) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = b.shell.Write(append(text, '\n'))
	return err
}

// SayRaw sends bytes as they are.
func (b *Bot) SayRaw(text string) error {
	_, err := io.WriteString(b.shell, text)
	return err
}

// Expect is the next line with one of these events; other lines are thrown away, but an error is an error.
func (b *Bot) Expect(events ...string) (Line, error) {
	late, cancel := context.WithTimeoutCause(context.Background(), eventTimeout, errLate)
	defer cancel()
	return b.Await(late, events...)
}

// Await is what Hear is, with the caller's own patience.
func (b *Bot) Await(ctx context.Context, events ...string) (Line, error) {
	for {
		select {
		case line, open := <-b.ended:
			if !open {
				return Line{}, errGone
			}
			for _, event := range events {
				if line.Event == event {
					return line, nil
				}
			}
			if line.Event == "error" {
				return line, fmt.Errorf("told %s: %s", line.Code, line.Message)
			}
		case <-ctx.Done():
			return Line{}, fmt.Errorf("%w, waiting for %v", context.Cause(ctx), events)
		}
	}
}

// Count is how often each event, or each error by its code, was heard before one with a number.
func (b *Bot) Count(last string, n int) (map[string]int, error) {
	late := time.NewTimer(eventTimeout)
	defer late.Stop()
	received := map[string]int{}
	for {
		select {
		case line, open := <-b.ended:
			switch {
			case !open:
				return received, errGone
			case line.Event == last && line.N == n:
				return received, nil
			}
			what := line.Event
			if what == "error" {
				what += " " + line.Code
			}
			received[what]++
		case <-late.C:
			return received, errLate
		}
	}
}

// Discard throws away all that is said until the connection ends.
func (b *Bot) Discard() {
	for range b.ended {
	}
}

// Leave cuts the connection.
func (b *Bot) Leave() {
	_ = b.client.Close()
	b.Discard() // so that the reader ends
}
