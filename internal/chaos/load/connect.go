package load

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/chaos/history"
)

const loginTimeout = 10 * time.Second

// connect logs in and starts a session. The caller closes conn if that fails.
func connect(
	ctx context.Context, conn net.Conn, user string, key ssh.Signer, t botclient.Transcript,
) (*botclient.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	client, err := botclient.Login(ctx, conn, user, key)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	return botclient.Open(client, t)
}

// transcript writes the lines of one connection to the book.
type transcript struct {
	book       *history.Book
	who, where string
	links      *atomic.Int64 // of all players so far
	link       int
}

// Opened implements [botclient.Transcript]. It numbers the connection.
func (t *transcript) Opened() {
	t.link = int(t.links.Add(1))
	t.add(history.Entry{What: history.Opened, Note: t.where})
}

// Sent implements [botclient.Transcript].
func (t *transcript) Sent(line []byte) { t.add(history.Entry{What: history.Sent, Line: line}) }

// Received implements [botclient.Transcript].
func (t *transcript) Received(line []byte) { t.add(history.Entry{What: history.Received, Line: line}) }

// Closed implements [botclient.Transcript].
func (t *transcript) Closed(cause error, rest []byte) {
	t.add(history.Entry{What: history.Cut, Note: fmt.Sprintf("%v after %q", cause, rest)})
}

func (t *transcript) add(e history.Entry) {
	e.Who, e.Link = t.who, t.link
	t.book.Add(e)
}
