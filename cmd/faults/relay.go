package main

import (
	"errors"
	"io"
	"net"
	"sync"
)

// relay takes connections at one end and passes on what they say to the other, unless it is stalled: then everything waits, as on a network
// that drops all packets, and nobody is told.
type relay struct {
	listener net.Listener
	dial     func() (net.Conn, error)

	mu    sync.Mutex
	flows chan struct{} // closed while bytes are passed on
	over  bool
	conns map[net.Conn]bool
}

func newRelay(l net.Listener, dial func() (net.Conn, error)) *relay {
	r := &relay{listener: l, dial: dial, flows: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(r.flows)
	go r.serve()
	return r
}

func (r *relay) serve() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.join(conn)
	}
}

// stall stops the flow in both directions; resume lets it go on with what has waited.
func (r *relay) stall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flows = make(chan struct{})
}

func (r *relay) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.flows)
}

func (r *relay) flowing() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.flows
}

// keep counts a connection in, so that close closes it.
func (r *relay) keep(conn net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns[conn] = true
	return !r.over
}

func (r *relay) drop(conns ...net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
		delete(r.conns, conn)
	}
}

func (r *relay) join(near net.Conn) {
	defer r.drop(near)
	if !r.keep(near) {
		return
	}
	<-r.flowing()
	far, err := r.dial()
	if err != nil {
		return
	}
	defer r.drop(far)
	if !r.keep(far) {
		return
	}
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			r.pass(way[1], way[0])
			ended <- struct{}{}
		}()
	}
	<-ended
}

func (r *relay) pass(to io.Writer, from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		<-r.flowing()
		if _, unsent := to.Write(buffer[:n]); err != nil || unsent != nil {
			return
		}
	}
}

// close ends every connection. A relay that is stalled is resumed first.
func (r *relay) close() error {
	r.mu.Lock()
	r.over = true
	select {
	case <-r.flows:
	default:
		close(r.flows)
	}
	r.mu.Unlock()
	err := r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []error
	for conn := range r.conns {
		all = append(all, conn.Close())
	}
	return errors.Join(err, errors.Join(all...))
}
