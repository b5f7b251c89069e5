package botclient

import (
	"bufio"
	"bytes"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/bot/botproto"
)

const (
	maxLine   = 4 * botproto.MaxLine
	maxUnread = 256 // events
)

// Transcript records the lines of one session. [Open], [Client.Send] and the reading goroutine of the Client call the
// methods, each in its own goroutine. Lines have no line ends, and the methods may keep them.
type Transcript interface {
	Opened()                         // before the first line
	Sent(line []byte)                // before the line is written
	Received(line []byte)            // before its event can be read
	Closed(cause error, rest []byte) // after the last line, with the rest of an unfinished one
}

// Client is a bot's session. Any goroutine may send.
type Client struct {
	conn       *ssh.Client
	channel    ssh.Channel
	transcript Transcript
	events     chan botproto.Event
}

// Open starts a bot's session on conn. [Client.Close] closes conn, but a failed Open leaves conn open. transcript
// may be nil.
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

// read sends the events to c.events until the session ends, and skips lines that do not parse.
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

// Events returns the channel of the events. The channel closes at the session's end. While the channel is full, the
// client does not read from its session.
func (c *Client) Events() <-chan botproto.Event { return c.events }

// Send writes a request. The answer arrives as an event.
func (c *Client) Send(r botproto.Request) error {
	line, err := r.Encode()
	if err != nil {
		return err
	}
	c.transcript.Sent(bytes.TrimRight(line, "\n"))
	_, err = c.channel.Write(line)
	return err
}

// Close closes the connection and drops the unread events. When Close returns, the transcript is complete.
func (c *Client) Close() {
	_ = c.conn.Close()
	for range c.events {
	}
}

type noTranscript struct{}

func (noTranscript) Opened()              {}
func (noTranscript) Sent([]byte)          {}
func (noTranscript) Received([]byte)      {}
func (noTranscript) Closed(error, []byte) {}
