package botclient

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/bot/botproto"
)

const (
	maxLine   = 4 * botproto.MaxLine
	maxUnread = 256 // events
)

// Transcript records the lines of one session. Its methods are called from the goroutines of [Open], of [Client.Send]
// and of the reader. They get lines without their ends and may keep them.
type Transcript interface {
	Opened()                         // before the first line
	Sent(line []byte)                // before the line is written
	Received(line []byte)            // before its event can be read
	Closed(cause error, rest []byte) // after the last line; rest is the beginning of another
}

// Client is a bot's session. One goroutine reads its events; any goroutine may send.
type Client struct {
	conn       *ssh.Client
	channel    ssh.Channel
	transcript Transcript
	events     chan botproto.Event
}

// Open starts a bot's session on a connection, which [Client.Close] closes. The transcript may be nil.
func Open(conn *ssh.Client, transcript Transcript) (*Client, error) {
	channel, err := Start(conn, "", "bot")
	if err != nil {
		return nil, err
	}
	if transcript == nil {
		transcript = noTranscript{}
	}
	c := &Client{conn: conn, channel: channel, transcript: transcript, events: make(chan botproto.Event, maxUnread)}
	transcript.Opened()
	go c.read()
	return c, nil
}

// read passes the events on until the session ends. It skips lines that are no events.
func (c *Client) read() {
	defer close(c.events)
	lines := bufio.NewReaderSize(c.channel, maxLine)
	for {
		text, err := lines.ReadSlice('\n')
		if err != nil {
			c.transcript.Closed(err, bytes.Clone(text))
			return
		}
		line := bytes.Clone(bytes.TrimRight(text, "\r\n"))
		c.transcript.Received(line)
		if event, err := botproto.ParseEvent(line); err == nil {
			c.events <- event
		}
	}
}

// Events returns the events in order. The channel is closed when the session has ended. While it is full the client
// reads nothing.
func (c *Client) Events() <-chan botproto.Event { return c.events }

// Send sends a request.
func (c *Client) Send(r botproto.Request) error {
	line, err := r.Encode()
	if err != nil {
		return err
	}
	c.transcript.Sent(bytes.TrimRight(line, "\n"))
	_, err = c.channel.Write(line)
	return err
}

// SendRaw sends bytes without changes, and without recording them in the transcript.
func (c *Client) SendRaw(text string) error {
	_, err := io.WriteString(c.channel, text)
	return err
}

// Discard drops all events until the session ends.
func (c *Client) Discard() {
	for range c.events {
	}
}

// Close closes the connection and drops the events that were not read. When it returns, the transcript is complete.
func (c *Client) Close() {
	_ = c.conn.Close()
	c.Discard()
}

type noTranscript struct{}

func (noTranscript) Opened()              {}
func (noTranscript) Sent([]byte)          {}
func (noTranscript) Received([]byte)      {}
func (noTranscript) Closed(error, []byte) {}
