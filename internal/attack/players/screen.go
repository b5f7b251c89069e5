//go:build attack

package players

import (
	"context"
	"io"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

const (
	keyPause  = 40 * time.Millisecond // between an answer and the next key
	readBytes = 32 << 10
)

// screen is a player at a table with the computer who goes from board to board: from wherever the cursor is, a key
// changes something, and so do two that are drawn together.
type screen struct {
	*Record
	client *ssh.Client
	shell  ssh.Channel
	frames chan struct{} // a value for each drawn frame; closed at the end of the output
}

func newScreen(ctx context.Context, source net.IP, address string, record *Record) (*screen, error) {
	client, err := Login(ctx, source, address, "carol", Key(screenKey))
	if err != nil {
		return nil, err
	}
	shell, err := botclient.Start(client, "xterm-256color", "play --computer perfect")
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	s := &screen{record, client, shell, make(chan struct{}, 1)}
	go s.read()
	return s, nil
}

func (s *screen) read() {
	defer close(s.frames)
	for buffer := make([]byte, readBytes); ; {
		if _, err := s.shell.Read(buffer); err != nil {
			return
		}
		select {
		case s.frames <- struct{}{}:
		default:
		}
	}
}

// run presses keys until the context ends.
func (s *screen) run(ctx context.Context) {
	for ctx.Err() == nil {
		<-time.After(keyPause)
		select {
		case <-s.frames: // unrequested frames
		default:
		}
		s.begin()
		if _, err := io.WriteString(s.shell, "\t"); err != nil {
			s.gone(ctx, err)
			return
		}
		select {
		case _, open := <-s.frames:
			if !open {
				s.gone(ctx, botclient.ErrClosed)
				return
			}
			s.end("a key")
		case <-time.After(botclient.EventTimeout):
			s.fault("the honest screen: %v", botclient.ErrTimeout)
			return
		}
	}
}

func (s *screen) gone(ctx context.Context, err error) {
	if ctx.Err() == nil {
		s.fault("the honest screen: %v", err)
	}
}
