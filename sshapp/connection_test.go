package sshapp

import (
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/sshfix"
)

// A player who read ssh's question about the host key for 12 s was cut off.
func TestALoginMayTakeTheWholeTimeWithoutLoad(t *testing.T) {
	const login, crowded = time.Minute, crowdedLogin
	for _, test := range []struct {
		name    string
		reached step
		crowd   int           // other connections, of the same address
		after   time.Duration // when they come
		want    time.Duration
	}{
		{"asks its user", exchanging, 0, 0, login},
		{"silent", silent, 0, 0, login},
		{"a few beside it", exchanging, fewPreauthConns - 1, 0, login},
		{"on a slow link", talking, 0, 0, login},
		{"many from its address", exchanging, fewPreauthConns, 0, crowded},
		{"many from its address later", silent, fewPreauthConns, 20 * time.Second, 20 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newPreauthConns(100, 800)
				c := loggingIn(h, login)
				c.setStep(test.reached)
				<-time.After(test.after)
				for range test.crowd {
					h.enter(handshaking("192.0.2.1"))
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
		h := newPreauthConns(100, 800)
		for i := range 51 {
			h.enter(handshaking(fmt.Sprint("198.51.100.", i)))
		}
		c := loggingIn(h, time.Minute)
		c.setStep(exchanging)
		<-c.gone
		if took := time.Since(c.opened); took > crowdedLogin+disconnectWait {
			t.Errorf("it was closed after %v", took)
		}
	})
}

// loggingIn is a connection with so much time for its login.
func loggingIn(h *preauthConns, login time.Duration) *connection {
	c := &connection{preauthConn: preauthConn{source: addressOf(&net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 1})}}
	c.Conn, _ = net.Pipe()
	c.owner = c
	c.login, c.roomy, c.leavePreauth, c.opened = login, h.hasRoom, h.leave, time.Now()
	c.releaseSlot, c.onReject = func() {}, func(reason, ...any) {}
	c.preauthBudget, c.gone = sshfix.NewPreauthBudget(), make(chan struct{})
	h.enter(&c.preauthConn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unused = time.AfterFunc(crowdedLogin, c.overdue)
	return c
}
