package sshapp

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/limit"
	"notakto/sshapp/sshfix"
)

// A player who read ssh's question about the host key for 12 s was cut off.
func TestALoginMayTakeTheWholeTimeWithoutLoad(t *testing.T) {
	const login, crowded = time.Minute, crowdedLogin
	for _, test := range []struct {
		name    string
		reached limit.Step
		crowd   int           // other connections, of the same address
		after   time.Duration // when they come
		want    time.Duration
	}{
		{"asks its user", limit.Exchanging, 0, 0, login},
		{"silent", limit.Silent, 0, 0, login},
		{"a few beside it", limit.Exchanging, limit.FewPreauthConns - 1, 0, login},
		{"on a slow link", limit.Talking, 0, 0, login},
		{"many from its address", limit.Exchanging, limit.FewPreauthConns, 0, crowded},
		{"many from its address later", limit.Silent, limit.FewPreauthConns, 20 * time.Second, 20 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := limit.NewPreauthConns(100, 800)
				c := loggingIn(h, login)
				c.SetStep(test.reached)
				<-time.After(test.after)
				for range test.crowd {
					h.Enter(&limit.PreauthConn{Source: limit.AddressOf(&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 1})})
				}
				<-c.gone
				if took := time.Since(c.opened); took < test.want || took > test.want+loginCheckEvery+disconnectWait {
					t.Errorf("it was closed after %v, want %v", took, test.want)
				}
			})
		})
	}
}

func TestALoginIsShortWhileManyLogIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := limit.NewPreauthConns(100, 800)
		for i := range 51 {
			h.Enter(&limit.PreauthConn{Source: limit.AddressOf(&net.TCPAddr{IP: net.IPv4(198, 51, 100, byte(i)), Port: 1})})
		}
		c := loggingIn(h, time.Minute)
		c.SetStep(limit.Exchanging)
		<-c.gone
		if took := time.Since(c.opened); took > crowdedLogin+disconnectWait {
			t.Errorf("it was closed after %v", took)
		}
	})
}

// loggingIn is a connection with so much time for its login.
func loggingIn(h *limit.PreauthConns, login time.Duration) *connection {
	c := &connection{PreauthConn: limit.PreauthConn{Source: limit.AddressOf(&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 1})}}
	c.Conn, _ = net.Pipe()
	c.Owner = c
	c.login, c.roomy, c.leavePreauth, c.opened = login, h.HasRoom, h.Leave, time.Now()
	c.releaseSlot, c.onReject = func() {}, func(limit.Reason, ...any) {}
	c.preauthBudget, c.gone = sshfix.NewPreauthBudget(), make(chan struct{})
	h.Enter(&c.PreauthConn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unused = time.AfterFunc(crowdedLogin, c.overdue)
	return c
}
