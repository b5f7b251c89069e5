package bots

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/chaos/history"
)

const (
	loginTime = 10 * time.Second
	maxLine   = 16 << 10
	maxUnread = 64 // lines
)

var errRefused = errors.New("the server does not let a bot in")

// link is a connection with a bot's session on it.
type link struct {
	number int
	who    string
	book   *history.Book
	conn   net.Conn
	shell  ssh.Channel
	ended  chan history.Line // closed when nothing more comes
}

// connect logs in and begins a session. The caller closes the link.
func connect(ctx context.Context, conn net.Conn, who string, key ssh.Signer) (*link, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(loginTime)); err != nil {
		return nil, err
	}
	client, _, requests, err := ssh.NewClientConn(conn, conn.RemoteAddr().String(), &ssh.ClientConfig{
		Config:          ssh.Config{KeyExchanges: []string{ssh.KeyExchangeCurve25519}},
		User:            who,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	shell, requests, err := client.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	switch accepted, err := shell.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{"bot"})); {
	case err != nil:
		return nil, err
	case !accepted:
		return nil, errRefused
	}
	return &link{who: who, conn: conn, shell: shell, ended: make(chan history.Line, maxUnread)}, conn.SetDeadline(time.Time{})
}

// read writes down what comes, and hands it on, until the connection ends. It writes that down as well, with what was
// torn off.
func (l *link) read(ctx context.Context) {
	defer close(l.ended)
	lines := bufio.NewReaderSize(l.shell, maxLine)
	for {
		text, err := lines.ReadSlice('\n')
		if err != nil {
			l.book.Add(history.Entry{Who: l.who, Link: l.number, What: history.Cut, Note: fmt.Sprintf("%v after %q", err, text)})
			return
		}
		raw := bytes.Clone(bytes.TrimRight(text, "\r\n"))
		l.book.Add(history.Entry{Who: l.who, Link: l.number, What: history.Received, Line: raw})
		var line history.Line
		if json.Unmarshal(raw, &line) != nil {
			continue // the checker has it
		}
		select {
		case l.ended <- line:
		case <-ctx.Done():
		}
	}
}

// say writes a line down and sends it.
func (l *link) say(line history.Line) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("write a wish: %w", err)
	}
	l.book.Add(history.Entry{Who: l.who, Link: l.number, What: history.Sent, Line: text})
	_, err = l.shell.Write(append(text, '\n'))
	return err
}
