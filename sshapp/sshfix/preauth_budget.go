package sshfix

import "sync"

// preauthBytes limits the bytes that a client may send from the key exchange until its login begins. The end of the
// exchange and seventeen packets of the smallest size fit. The SSH library handles one of these packets and queues
// sixteen. A well-behaved client sends 68 bytes, since it asks for the login and waits for the answer.
const preauthBytes = 512

// PreauthBudget limits the bytes read from a connection between the key exchange and the login. If a client's first
// request is wrong, the SSH library gives the connection up. If sixteen packets are queued by then, the library's
// reader waits for ever to queue the next one, and two goroutines stay behind. A call of [DrainReadAhead] cannot
// help, since the server does not get the library's connection before the login begins. The budget keeps that many
// packets from being read.
//
// Only one goroutine at a time may read, by Limit and Charge. Start, HasStarted and Lift may be called from any
// goroutine.
type PreauthBudget struct {
	ended chan struct{} // closed when the login begins

	mu        sync.Mutex
	isBegun   bool
	remaining int // bytes
}

// NewPreauthBudget returns the budget of a new connection.
func NewPreauthBudget() *PreauthBudget {
	return &PreauthBudget{ended: make(chan struct{}), remaining: preauthBytes}
}

// Start starts the budget at a key exchange. Earlier bytes of the client cannot be a packet under the new keys.
func (p *PreauthBudget) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isBegun = true
}

// HasStarted reports whether a key exchange has begun.
func (p *PreauthBudget) HasStarted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isBegun
}

// Lift lifts the limit when the login begins. Only one call is allowed.
func (p *PreauthBudget) Lift() { close(p.ended) }

// Limit returns the part of buffer that the next read may fill. If the budget is used up, Limit waits for the login
// and returns buffer. If closed is closed first, Limit returns nil, and the caller must not read, even if bytes have
// arrived.
func (p *PreauthBudget) Limit(buffer []byte, closed <-chan struct{}) []byte {
	select {
	case <-p.ended:
		return buffer
	default:
	}
	p.mu.Lock()
	keyed, left := p.isBegun, p.remaining
	p.mu.Unlock()
	switch {
	case !keyed:
		return buffer
	case left > 0:
		return buffer[:min(len(buffer), left)]
	}
	select {
	case <-p.ended:
		return buffer
	case <-closed:
		return nil
	}
}

// Charge charges n bytes that were read.
func (p *PreauthBudget) Charge(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isBegun {
		p.remaining -= n
	}
}
