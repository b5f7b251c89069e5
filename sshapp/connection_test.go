package sshapp

import (
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match/limit"
)

// A player that read ssh's question about the host key for 12 s was once cut off.
func TestALoginMayTakeTheWholeTimeWithoutLoad(t *testing.T) {
	const login, crowded = time.Minute, crowdedLogin
	for _, test := range []struct {
		name    string
		reached limit.Step
		crowd   int           // other connections
		sources int           // addresses that they come from
		after   time.Duration // when they come
		want    time.Duration
	}{
		{"asks its user", limit.Exchanging, 0, 1, 0, login},
		{"a few beside it", limit.Exchanging, fewPreauthConns - 1, 1, 0, login},
		{"many from its address", limit.Exchanging, fewPreauthConns, 1, 0, crowded},
		{"many from its address later", limit.Silent, fewPreauthConns, 1, 20 * time.Second, 20 * time.Second},
		{"many from everywhere", limit.Exchanging, 51, 51, 0, crowded},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				settings := limit.DefaultSettings()
				settings.Login = login
				server := bareServer(settings)
				h, c := server.preauthConns, loggingIn(server)
				c.SetStep(test.reached)
				<-time.After(test.after)
				for i := range test.crowd {
					from := &net.TCPAddr{IP: net.IPv4(192, 0, 2, byte(1+i%test.sources)), Port: 1}
					h.Enter(&limit.PreauthConn{Source: limit.SourceAddress(from)})
				}
				<-c.closed
				if took := time.Since(c.opened); took < test.want || took > test.want+loginCheckEvery+disconnectWait {
					t.Errorf("it was closed after %v, want %v", took, test.want)
				}
			})
		})
	}
}

// bareServer returns a server for connections made by hand.
func bareServer(settings limit.Settings) *Server {
	s := &Server{
		Stats:         newStats(),
		preauthConns:  limit.NewPreauthConns(100, 800),
		slots:         limit.NewConnSlots(1),
		addressLimits: limit.NewAddressLimits(settings),
	}
	s.settings.Store(&settings)
	s.rejections = limit.NewRejections(slog.New(slog.DiscardHandler))
	s.slots.Acquire(nil)
	return s
}

// loggingIn returns a connection without a login.
func loggingIn(s *Server) *connection {
	near, _ := net.Pipe()
	return s.newConnection(near, netip.MustParsePrefix("192.0.2.1/32"), false)
}
