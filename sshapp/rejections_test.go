package sshapp

import (
	"errors"
	"io"
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
	for _, test := range []struct {
		limit.Reason
		word    string // that the client reads
		provoke func(h *testServer) string
	}{
		{limit.LoginFailed, "the login took too long", (*testServer).lingers},
		{limit.KeyFlood, "unrecognised input", func(h *testServer) string {
			p := h.sit("alice", newKey(t, 1))
			p.sees("Play someone")
			p.press("\x1b]0;" + strings.Repeat("x", 5000))
			_ = p.leaves()
			p.restored()
			return p.screen()
		}},
		{limit.TooManyRequests, "far too many requests", func(h *testServer) string {
			p := h.sit("alice", newKey(t, 1))
			p.sees("Play someone")
			for range 2 * maxRequests {
				_ = p.session.WindowChange(24, 81)
			}
			_ = p.leaves()
			p.restored()
			return p.screen()
		}},
		{limit.NoSession, "asked for nothing in time", func(h *testServer) string {
			shown, _ := io.ReadAll(openChannel(h.t, h.dial("alice", newKey(h.t, 1))).Stderr())
			return string(shown)
		}},
		{limit.UnreadInput, "too much unread input", func(h *testServer) string {
			p := h.sit("alice", newKey(h.t, 1))
			p.sees("Play someone")
			_, _ = io.Copy(openChannel(h.t, p.client).Stderr(), &zeros{left: 1 << 20})
			_ = p.leaves()
			return p.screen()
		}},
		{limit.SessionRefused, "too many sessions on this connection", func(h *testServer) string {
			client := h.dial("alice", newKey(h.t, 1))
			for {
				if _, _, err := client.OpenChannel("session", nil); err != nil {
					return err.Error()
				}
			}
		}},
		{limit.ChannelRefused, "this server forwards nothing", func(h *testServer) string {
			_, _, err := h.dial("alice", newKey(h.t, 1)).OpenChannel("direct-tcpip", nil)
			return err.Error()
		}},
		{limit.LongCommand, "the command line is too long", func(h *testServer) string {
			return h.runs("analyse " + strings.Repeat("x", maxCommand))
		}},
		{limit.Idled, "You were away for a while", func(h *testServer) string {
			p := h.sit("alice", newKey(t, 1))
			_ = p.leaves()
			return p.screen()
		}},
		{limit.Idled, "there was no input for a long while", func(h *testServer) string { return h.runs("plain") }},
		{limit.Idled, "there was no input for a long while",
			func(h *testServer) string { return h.runs("classic two") }},
		{limit.NoFiles, "there are no files here", func(h *testServer) string { return h.runs("scp -t /tmp") }},
		{limit.BadLines, "too many bad lines", func(h *testServer) string {
			return h.runsWith("bot", strings.Repeat("x\n", 1000))
		}},
		{limit.WrongCode, "no_such_table", func(h *testServer) string {
			return h.runsWith("bot", `{"do":"join","code":"K7QX"}`+"\n")
		}},
		{limit.GameLimit, "as many matches as allowed", func(h *testServer) string {
			return h.runsWith("bot", strings.Repeat("{\"do\":\"create\"}\n", 9))
		}},
	} {
		t.Run(string(test.Reason)+" "+test.word, func(t *testing.T) {
			t.Parallel()
			h := startServer(t, func(o *options) {
				switch test.Reason { // the other cases have the full time
				case limit.LoginFailed:
					o.Login = time.Second
				case limit.NoSession:
					o.Start = time.Second
				case limit.Idled:
					o.Idle = 300 * time.Millisecond
				}
			})
			if received := test.provoke(h); !strings.Contains(strings.Join(strings.Fields(received), " "), test.word) {
				t.Errorf("the client reads %q", received)
			}
			eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(test.Reason) == 1 })
			eventually(t, "the line", func() bool { return h.countsLine(test.Reason) == 1 })
		})
	}
}

// countsLine returns the number of log lines with a rejection for a reason.
func (s *testServer) countsLine(why limit.Reason) int {
	return strings.Count(s.log.String(), "event=turned-away reason="+string(why))
}

// lingers connects, sends its version line, and stays silent.
func (s *testServer) lingers() string {
	conn := s.connect()
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "SSH-2.0-x\r\n")
	_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
	received, _ := io.ReadAll(conn)
	return string(received)
}

// A client that took too long over the host key once got the reason in plain text after the new keys, where it is a
// broken packet.
func TestNothingUnreadableComesBehindTheKeys(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.Login = time.Second })
	client := h.keyed()
	if packet, err := client.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("the client reads %q, %v", packet, err)
	}
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.LoginFailed) == 1 })
}

// A client that took too long over a passphrase was once cut off without a word.
func TestASlowLoginGetsItsReasonInTheLogin(t *testing.T) {
	besideOthers(t)
	const banner = 53 // SSH_MSG_USERAUTH_BANNER
	h := startServer(t, func(o *options) { o.Login = 3 * time.Second })
	client := h.keyed()
	testkit.OK(t, client.Service())
	if packet, err := client.Await(banner); err != nil ||
		!strings.Contains(string(packet), "notakto: "+errSlowLogin.Error()) {
		t.Errorf("the client is told %q, %v", packet, err)
	}
	if packet, err := client.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("the client reads %q, %v", packet, err)
	}
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.LoginFailed) == 1 })
}

func (s *testServer) runs(command string) string { return s.runsWith(command, "") }

// runsWith returns the output of a command with text as its input, or with an open silent input for "".
func (s *testServer) runsWith(command, text string) string {
	session, err := s.dial("alice", newKey(s.t, 1)).NewSession()
	testkit.OK(s.t, err)
	typed, err := session.StdinPipe()
	testkit.OK(s.t, err)
	go func() {
		if _, _ = io.WriteString(typed, text); text != "" {
			_ = typed.Close()
		}
	}()
	received, _ := session.CombinedOutput(command)
	return string(received)
}

// SSH's own answers refuse forwarding, without words.
func TestForwardingIsCounted(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	channel := openChannel(t, client)
	for _, ask := range []func(string, bool, []byte) (bool, error){
		func(name string, reply bool, payload []byte) (bool, error) {
			ok, _, err := client.SendRequest(name, reply, payload)
			return ok, err
		},
		channel.SendRequest,
	} {
		for _, name := range []string{
			"tcpip-forward", "streamlocal-forward@openssh.com", "auth-agent-req@openssh.com", "x11-req",
			"keepalive@openssh.com",
		} {
			if ok, err := ask(name, true, nil); ok || err != nil {
				t.Errorf("%s: %v, %v", name, ok, err)
			}
		}
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.ChannelRefused), 8, h.log.String())
}

// A client that kept the channel of an ended session was once cut off without a log line.
func TestWhoKeepsTheChannelOfAnEndedSessionIsHungUpOn(t *testing.T) {
	h := startServer(t, func(o *options) { o.Stall = 300 * time.Millisecond })
	client := h.unmannered("alice", newKey(t, 1))
	theirs, err := client.Session(0, 1<<20)
	testkit.OK(t, err)
	version := gossh.Marshal(struct{ Command string }{"version"})
	// The channel stays open on this side.
	testkit.OK(t, client.Send(wire.Request(theirs, "exec", true, version)))
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.LeftOpen) == 1 })
}
