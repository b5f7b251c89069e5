package sshfix

import "sync"

// preauthBytes limits what a client may send from the exchange of keys until its login begins. There is room for the
// end of the exchange and for seventeen packets of the smallest size. The SSH library handles one of the packets and
// queues sixteen. A well-behaved client sends 68 bytes, since it asks for the login and waits for the answer.
const preauthBytes = 512

// PreauthBudget bounds what is read of a connection between the exchange of keys and the login. If a client's first
// request is wrong, the SSH library gives the connection up. If sixteen packets are queued by then, the library's
// reader waits for ever to queue the next one, and two goroutines stay behind. [DrainReadAhead] cannot help, since the
// server does not get the library's connection before the login begins. So the budget lets no such packet be read.
//
// One goroutine reads at a time; the other methods may be called from any.
type PreauthBudget struct {
	over chan struct{} // closed when the login begins

	mu        sync.Mutex
	keyed     bool
	remaining int // bytes, once keyed
}

// NewPreauthBudget returns the budget of a new connection.
func NewPreauthBudget() *PreauthBudget {
	return &PreauthBudget{over: make(chan struct{}), remaining: preauthBytes}
}

// Begin starts the budget when keys are being exchanged. Nothing that the client has sent before can be a packet under
// the new keys.
func (p *PreauthBudget) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keyed = true
}

// Begun reports whether keys have been exchanged, or are being.
func (p *PreauthBudget) Begun() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keyed
}

// End lifts the limit when the login begins. It is called once.
func (p *PreauthBudget) End() { close(p.over) }

// Part returns the part of buffer that the next read may fill. If the budget is used up, Part waits for the login and
// returns buffer. If gone is closed first, Part returns nil, and the caller must not read, even if bytes have arrived.
func (p *PreauthBudget) Part(buffer []byte, gone <-chan struct{}) []byte {
	select {
	case <-p.over:
		return buffer
	default:
	}
	p.mu.Lock()
	keyed, left := p.keyed, p.remaining
	p.mu.Unlock()
	switch {
	case !keyed:
		return buffer
	case left > 0:
		return buffer[:min(len(buffer), left)]
	}
	select {
	case <-p.over:
		return buffer
	case <-gone:
		return nil
	}
}

// Took counts what was read.
func (p *PreauthBudget) Took(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keyed {
		p.remaining -= n
	}
}
