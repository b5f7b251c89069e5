//go:build postgres

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/match"
)

// cutter forwards connections to a database, and breaks them.
type cutter struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	pairs []*cutPair
}

// cutPair is a forwarded connection.
type cutPair struct {
	client, server net.Conn

	mu   sync.Mutex
	hold time.Duration // delay of the data after a cut, to reach the server without its client
}

// cutBefore returns a cutter in front of a database, and a URL that leads through the cutter.
func cutBefore(t *testing.T, direct string) (*cutter, string) {
	t.Helper()
	u, err := url.Parse(direct)
	ok(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = l.Close() })
	c := &cutter{listener: l, to: u.Host}
	u.Host = l.Addr().String()
	go c.accept()
	return c, u.String()
}

func (c *cutter) accept() {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = client.Close()
			continue
		}
		p := &cutPair{client: client, server: server}
		c.mu.Lock()
		c.pairs = append(c.pairs, p)
		c.mu.Unlock()
		go func() {
			_, _ = io.Copy(client, server)
			_ = client.Close()
		}()
		go p.forward()
	}
}

// stop breaks all connections and refuses new ones.
func (c *cutter) stop() {
	_ = c.listener.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pairs {
		_ = p.client.Close()
	}
}

// forward copies from the client to the server.
func (p *cutPair) forward() {
	b := make([]byte, 1<<16)
	for {
		n, err := p.client.Read(b)
		p.mu.Lock()
		hold := p.hold
		p.mu.Unlock()
		if hold > 0 && n > 0 {
			_ = p.client.Close()
			<-time.After(hold)
		}
		if n > 0 {
			_, _ = p.server.Write(b[:n])
		}
		if err != nil {
			<-time.After(100 * time.Millisecond) // the network has not told the server yet
			_ = p.server.Close()
			return
		}
	}
}

// cut breaks a third of the connections. The last data is lost, or arrives after the client has connected again.
func (c *cutter) cut() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pairs = slices.DeleteFunc(c.pairs, func(p *cutPair) bool {
		if rand.IntN(3) > 0 {
			return false
		}
		n++
		if rand.IntN(2) == 0 {
			_ = p.client.Close()
			return true
		}
		p.mu.Lock()
		p.hold = time.Duration(1+rand.IntN(200)) * time.Millisecond
		p.mu.Unlock()
		return true
	})
	return n
}

// Connections break at any point of two servers' transactions. Acknowledged events are recorded and delivered once
// at both servers. Refused events are not recorded.
func TestConnectionsBreak(t *testing.T) {
	direct := database(t)
	c, through := cutBefore(t, direct)
	stores := []*Store{share(t, through), share(t, through)}
	delivered := follow(stores...)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	var mu sync.Mutex
	acknowledged, unknown, refused := map[string]int{}, map[string]bool{}, 0
	appends := func(s *Store, id match.ID, seq uint64) error {
		_, err := s.Append(t.Context(), left(id, seq))
		name := fmt.Sprintf("%s/%d", id, seq)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			acknowledged[name]++
		case errors.Is(err, match.ErrConflict), errors.Is(err, match.ErrArchived):
			refused++
		default:
			unknown[name] = true
			return err
		}
		return nil
	}
	var all sync.WaitGroup
	for i, s := range stores {
		for w := range 8 {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					id := match.ID(fmt.Sprintf("own-%d-%d-%d", i, w, n))
					if w%2 == 0 {
						id = match.ID(fmt.Sprintf("shared-%d-%d", w, n))
					}
					for seq := uint64(1); seq <= 10 && ctx.Err() == nil; {
						if appends(s, id, seq) == nil {
							seq++
						} else if s.CatchUp(t.Context()) == nil {
							events, _ := s.Load(t.Context(), id, seq-1)
							seq += uint64(len(events))
						}
					}
					for ctx.Err() == nil && s.Archive(t.Context(), id) != nil {
						_ = s.Check(t.Context())
					}
				}
			})
		}
	}
	cuts := 0
	for ctx.Err() == nil {
		cuts += c.cut()
		select {
		case <-time.After(time.Duration(rand.IntN(60)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
	all.Wait()
	for _, s := range stores {
		for s.CatchUp(t.Context()) != nil { // the test's timeout is the limit
			_ = s.Check(t.Context())
		}
	}
	one, other := delivered.of(0), delivered.of(1)
	slices.Sort(one)
	slices.Sort(other)
	if !slices.Equal(one, other) || len(slices.Compact(slices.Clone(one))) != len(one) {
		t.Errorf("%d events were delivered at one server, %d at the other, or some twice", len(one), len(other))
	}
	fresh, recorded := share(t, direct), map[string]bool{}
	for _, text := range one {
		event, _, _ := strings.Cut(text, " ")
		recorded[event] = true
		if acknowledged[event] == 0 && !unknown[event] {
			t.Errorf("%s is recorded, and was refused", event)
		}
		id, number, _ := strings.Cut(event, "/")
		if seq, err := strconv.Atoi(number); err != nil || length(t, fresh, match.ID(id)) < seq {
			t.Errorf("%s was delivered and is not there, %v", event, err)
		}
	}
	for event, times := range acknowledged {
		if !recorded[event] || times > 1 {
			t.Errorf("%s was acknowledged %d times; delivered: %v", event, times, recorded[event])
		}
	}
	t.Logf("%d connections broke, %d events were acknowledged, %d refused, %d outcomes unknown, %d recorded",
		cuts, len(acknowledged), refused, len(unknown), len(one))
}
