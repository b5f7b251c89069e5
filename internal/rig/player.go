package rig

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"io"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// loginTimeout is longer than any login may take, even during an attack.
const loginTimeout = 20 * time.Second

// Key returns the key with a number. A number has one key in every run.
func Key(number int) ssh.Signer {
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint32(seed, uint32(number))
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		panic(err) // the seed has the right size
	}
	return signer
}

// Client holds the source address of a client, its server and its login.
type Client struct {
	Source  net.IP // an address of this machine, or nil for any
	Address string // of the server
	User    string
	Key     ssh.Signer // nil for a guest
}

// Login connects and logs in. A login may take 20 s.
func (c Client) Login(ctx context.Context) (*ssh.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: c.Source}}
	conn, err := dialer.DialContext(ctx, "tcp4", c.Address)
	if err != nil {
		return nil, err
	}
	return botclient.Login(ctx, conn, c.User, c.Key)
}

// Begin logs in and starts a session as [botclient.Start] does. The caller closes the client.
func (c Client) Begin(ctx context.Context, term, command string) (*ssh.Client, ssh.Channel, error) {
	client, err := c.Login(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	channel, err := botclient.Start(client, term, command)
	if err != nil {
		_ = client.Close()
		return nil, nil, err
	}
	return client, channel, nil
}

// Bot logs in a bot and waits for the welcome.
func (c Client) Bot(ctx context.Context) (*botclient.Client, error) {
	client, err := c.Login(ctx)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	bot, err := botclient.Open(client, nil)
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	if _, err := botclient.Expect[botproto.Welcome](bot); err != nil {
		bot.Close()
		return nil, err
	}
	return bot, nil
}

// Visit logs in, waits for the first byte of the full screen and disconnects.
func (c Client) Visit(ctx context.Context) error {
	client, screen, err := c.Begin(ctx, "xterm-256color", "")
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	_, err = screen.Read(make([]byte, 1))
	return err
}

// Player plays on the full screen at a table with the computer. It presses only Tab, the key for the next board,
// because Tab changes the screen at every position of the cursor. Two Tabs that the server draws in one frame change it
// too.
type Player struct {
	*Record
	client *ssh.Client
	screen ssh.Channel
	pause  time.Duration // between a frame and the next key
	frames chan struct{} // signals a frame since the last receive, closed at the end of the output
}

// Player logs a player in. Run presses the keys, each a pause after the frame of the last one.
func (c Client) Player(ctx context.Context, pause time.Duration) (*Player, error) {
	client, screen, err := c.Begin(ctx, "xterm-256color", "play --computer perfect")
	if err != nil {
		return nil, err
	}
	p := &Player{&Record{limit: answerLimit}, client, screen, pause, make(chan struct{}, 1)}
	go p.read()
	return p, nil
}

func (p *Player) read() {
	defer close(p.frames)
	for buffer := make([]byte, 32<<10); ; {
		if _, err := p.screen.Read(buffer); err != nil {
			return
		}
		select {
		case p.frames <- struct{}{}:
		default:
		}
	}
}

// Run presses Tab until ctx ends or a frame does not come. A missing frame is a fault.
func (p *Player) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if match.Sleep(ctx, p.pause) != nil {
			return
		}
		select {
		case <-p.frames: // no key asked for these frames
		default:
		}
		p.begin()
		_, err := io.WriteString(p.screen, "\t")
		if err == nil {
			select {
			case _, open := <-p.frames:
				if open {
					p.end("a key")
					continue
				}
				err = botclient.ErrClosed
			case <-time.After(botclient.EventTimeout):
				err = botclient.ErrTimeout
			}
		}
		if ctx.Err() == nil {
			p.fault("the honest screen: %v", err)
		}
		return
	}
}

// Leave disconnects and returns at the end of the output.
func (p *Player) Leave() {
	_ = p.client.Close()
	for range p.frames {
	}
}
