package sshapp

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// A case in this table once ended without a word to the client, without a log line, or without a count.
func TestARejectionIsOneReasonOneLogLineAndOneCount(t *testing.T) {
	besideOthers(t)
	usual := func(*options) {}
	quick := func(o *options) { o.Login, o.Start = 4*time.Second, 4*time.Second }
	for _, test := range []struct {
		limit.Reason
		word    string // that the client reads
		change  func(*options)
		provoke func(h *testServer) string
	}{
		{limit.LoginFailed, "the login took too long", quick, (*testServer).lingers},
		{limit.KeyFlood, "unrecognised input", usual, func(h *testServer) string {
			return h.isSentHome(func(p *person) { p.press("\x1b]0;" + strings.Repeat("x", 5000)) })
		}},
		{limit.TooManyRequests, "the client sent far too many requests", usual, func(h *testServer) string {
			return h.isSentHome(func(p *person) {
				sendsUntilTheEnd(func() error { return p.session.WindowChange(24, 81) })
			})
		}},
		{limit.TooManyRequests, "the client sent far too many requests", usual, func(h *testServer) string {
			return h.isSentHome(func(p *person) {
				sendsUntilTheEnd(func() error {
					_, _, err := p.client.SendRequest("nonsense", false, nil)
					return err
				})
			})
		}},
		{limit.NoSession, "asked for nothing in time", quick, func(h *testServer) string {
			channel := openChannel(h.t, h.dial("alice", newKey(h.t, 1)))
			request(h.t, channel, "pty-req", wire.Terminal("xterm", 80, 24), true) // a terminal without a shell is no session
			shown, _ := io.ReadAll(channel.Stderr())
			return string(shown)
		}},
		{limit.NoSession, "", quick, func(h *testServer) string { // of a client with -N
			return fmt.Sprint(h.dial("alice", newKey(h.t, 1)).Wait())
		}},
		{limit.SessionRefused, "too many sessions on this connection; close one", usual, func(h *testServer) string {
			client := h.dial("alice", newKey(h.t, 1))
			for range limit.MaxChannels {
				openChannel(h.t, client)
			}
			return refusal(client)
		}},
		{limit.SessionRefused, limit.ErrPlayerFull.Error(), func(o *options) { o.MaxSessionsPerKey = 1 },
			func(h *testServer) string {
				h.sit("alice", newKey(h.t, 1)).sees("Play someone")
				return refusal(h.dial("alice", newKey(h.t, 1)))
			}},
		{limit.ChannelRefused, "this server forwards nothing", usual, func(h *testServer) string {
			_, _, err := h.dial("alice", newKey(h.t, 1)).OpenChannel("direct-tcpip", nil)
			return err.Error()
		}},
		{limit.LongCommand, "the command line is too long", usual, func(h *testServer) string {
			return h.prints("analyse " + strings.Repeat("x", maxCommand))
		}},
		// The server's own writes once reset the timeout, and a ticking screen kept a dead client for ever.
		{limit.Idled, "You were away for a while", func(o *options) { o.Idle = 4 * time.Second },
			func(h *testServer) string {
				return h.isSentHome(func(p *person) {
					p.press("1") // the waiting screen has a clock, which ticks
					p.sees("You were away")
					testkit.Equal(h.t, regexp.MustCompile("0:0[1-9]").MatchString(p.lastScreen()), true, p.lastScreen())
				})
			}},
		{limit.Idled, "there was no input for a long while", idles,
			func(h *testServer) string { return h.keepsStill("plain") }},
		{limit.Idled, "there was no input for a long while", idles,
			func(h *testServer) string { return h.keepsStill("classic two") }},
		// A frozen peer answers no question, and TCP alone never notices.
		{limit.NoAnswer, "", func(o *options) { o.KeepAlive, o.Stall = 2*time.Second, time.Minute },
			func(h *testServer) string {
				deaf := &deafConn{Conn: h.connect()}
				openTerminal(h.t, h.client(deaf, login("alice", newKey(h.t, 1))), 80, 24)
				deaf.deaf.Store(true)
				eventually(h.t, "the session to end", func() bool { return h.inside() == 0 })
				return ""
			}},
		{limit.LeftOpen, "", func(o *options) { o.Stall = 3 * time.Second }, func(h *testServer) string {
			client := h.unmannered("alice", newKey(h.t, 1))
			theirs, err := client.Session(0, 1<<20)
			testkit.OK(h.t, err)
			version := gossh.Marshal(struct{ Command string }{"version"})
			testkit.OK(h.t, client.Send(wire.Request(theirs, "exec", true, version))) // and never closes the channel
			return ""
		}},
		{limit.TooManyRekeys, "", usual, (*testServer).exchangesForEver},
		{limit.NoFiles, "there are no files here", usual,
			func(h *testServer) string { return h.prints("scp -t /tmp") }},
		{limit.BadLines, "too many bad lines", usual, func(h *testServer) string {
			return h.prints("bot", strings.Repeat("x\n", 1000))
		}},
		{limit.WrongCode, "no_such_table", usual, func(h *testServer) string {
			return h.prints("bot", `{"do":"join","code":"K7QX"}`+"\n")
		}},
		{limit.GameLimit, "as many matches as allowed", usual, func(h *testServer) string {
			return h.prints("bot", strings.Repeat("{\"do\":\"create\"}\n", 9))
		}},
	} {
		t.Run(string(test.Reason)+" "+test.word, func(t *testing.T) {
			t.Parallel()
			h := startServer(t, test.change)
			testkit.Contains(t, strings.Join(strings.Fields(test.provoke(h)), " "), test.word)
			h.rejectsOnce(test.Reason)
		})
	}
}

// sendsUntilTheEnd sends until the server has closed the connection, or for testTimeout.
func sendsUntilTheEnd(send func() error) {
	for began := time.Now(); time.Since(began) < testTimeout && send() == nil; {
	}
}

func idles(o *options) { o.Idle = 300 * time.Millisecond }

// rejectsOnce waits until one rejection for a reason is counted and logged.
func (s *testServer) rejectsOnce(why limit.Reason) {
	s.t.Helper()
	eventually(s.t, "one rejection: "+string(why), func() bool {
		return s.rejections.Counts.Get(why) == 1 &&
			strings.Count(s.log.String(), "event=turned-away reason="+string(why)) == 1
	})
}

// isSentHome returns the screen of a player whose session ends by what the player does, with the terminal restored.
func (s *testServer) isSentHome(do func(*person)) string {
	p := s.sit("alice", newKey(s.t, 1))
	p.sees("Play someone")
	do(p)
	_ = p.leaves()
	p.restored()
	return p.screen()
}

// refusal returns the reason that a client may not open another session.
func refusal(client *gossh.Client) string {
	_, _, err := client.OpenChannel("session", nil)
	return fmt.Sprint(err)
}

// prints returns all output of a command.
func (s *testServer) prints(command string, typed ...string) string {
	out, complaint, _ := s.run(command, typed...)
	return out + complaint
}

// keepsStill returns all output of a command whose input stays open.
func (s *testServer) keepsStill(command string) string {
	k := newTalk(s.t, s.dial("alice", newKey(s.t, 1)), command)
	return k.rest() + k.errs.String()
}

// exchangesForEver exchanges keys in a loop, which would keep the server signing. OpenSSH's RekeyLimit and a long
// session cause a few exchanges.
func (s *testServer) exchangesForEver() string {
	client := s.unmannered("alice", newKey(s.t, 1))
	exchanges := 1 // at the login
	for ; client.Exchange() == nil && exchanges <= rekeyBurst; exchanges++ {
		if exchanges == 7 {
			_, err := client.Play(0, 1<<20)
			testkit.OK(s.t, err)
		}
	}
	testkit.Equal(s.t, exchanges, rekeyBurst)
	return ""
}

// lingers sends a byte now and then, which must not renew the time for a login.
func (s *testServer) lingers() string {
	conn := s.connect()
	defer func() { _ = conn.Close() }()
	go func() {
		for _, err := io.WriteString(conn, "SSH-2.0-"); err == nil; _, err = io.WriteString(conn, "x") {
			<-time.After(100 * time.Millisecond)
		}
	}()
	_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
	received, _ := io.ReadAll(conn)
	return string(received)
}

// A client that took too long over the host key once got the reason in plain text after the new keys, where it is a
// broken packet. A client that took too long over a passphrase was cut off without a word.
func TestNothingUnreadableComesBehindTheKeys(t *testing.T) {
	besideOthers(t)
	const banner = 53 // SSH_MSG_USERAUTH_BANNER
	h := startServer(t, func(o *options) { o.Login = 5 * time.Second })
	silent, asking := h.keyed(), h.keyed()
	testkit.OK(t, asking.Service())
	packet, err := asking.Await(banner)
	testkit.OK(t, err)
	testkit.Contains(t, string(packet), "notakto: "+errSlowLogin.Error())
	for _, client := range []*wire.Conn{silent, asking} {
		if packet, err := client.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("the client reads %q, %v", packet, err)
		}
	}
	eventually(t, "both to be counted", func() bool { return h.rejections.Counts.Get(limit.LoginFailed) == 2 })
}
