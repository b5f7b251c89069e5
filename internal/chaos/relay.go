package main

import (
	"errors"
	"io"
	"net"
	"sync"
)

// way is a direction of a relay.
type way int

const (
	forth way = iota // from the connecting end
	back             // to the connecting end
)

// relay accepts connections and passes bytes in both directions, unless it is stalled: then everything waits, without
// an error, as on a network that drops all packets. It can be stalled in one direction only.
type relay struct {
	listener net.Listener
	dial     func() (net.Conn, error)

	mu    sync.Mutex
	flows [2]chan struct{} // for each way; closed while bytes are passed on
	over  bool
	conns map[net.Conn]bool
}

func newRelay(l net.Listener, dial func() (net.Conn, error)) *relay {
	r := &relay{listener: l, dial: dial, conns: map[net.Conn]bool{}}
	for way := range r.flows {
		r.flows[way] = make(chan struct{})
		close(r.flows[way])
	}
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

// stall stops the flow in some directions; resume restarts all, with the bytes that have waited.
func (r *relay) stall(ways ...way) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, way := range ways {
		r.flows[way] = make(chan struct{})
	}
}

func (r *relay) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, flow := range r.flows {
		select {
		case <-flow: // it was not stalled
		default:
			close(flow)
		}
	}
}

func (r *relay) flowing(way way) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.flows[way]
}

// keep registers a connection, so that close closes it.
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
	<-r.flowing(forth) // accepting a connection needs both directions
	<-r.flowing(back)
	far, err := r.dial()
	if err != nil {
		return
	}
	defer r.drop(far)
	if !r.keep(far) {
		return
	}
	ended := make(chan struct{}, 2)
	go func() { r.pass(far, near, forth); ended <- struct{}{} }()
	go func() { r.pass(near, far, back); ended <- struct{}{} }()
	<-ended
}

func (r *relay) pass(to io.Writer, from io.Reader, way way) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		<-r.flowing(way)
		if _, unsent := to.Write(buffer[:n]); err != nil || unsent != nil {
			return
		}
	}
}

// close closes every connection, after resuming a stalled relay.
func (r *relay) close() error {
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
	r.resume()
	err := r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []error
	for conn := range r.conns {
		all = append(all, conn.Close())
	}
	return errors.Join(err, errors.Join(all...))
}
