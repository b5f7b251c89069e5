package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	pollInterval = 2 * time.Second
	// pollGroups spreads the polls over the interval, because the same news may make all sessions draw.
	pollGroups = 8
)

// Poller looks for news for the screens of all sessions, once in pollInterval for each session. A timer and a goroutine
// for each session would take most of the CPU time of an idle server. The zero value is ready. A Poller is safe for
// concurrent use.
type Poller struct {
	mu        sync.Mutex
	groups    [pollGroups][]*poll
	current   int  // the group of the latest tick
	isRunning bool // a tick is due or in progress
}

// poll is the search of one screen. It ends with ctx, or once look has returned a message, which send gets.
type poll struct {
	ctx  context.Context
	look func() tea.Msg
	send func(tea.Msg)
}

func (p *Poller) add(one *poll) {
	p.mu.Lock()
	defer p.mu.Unlock()
	smallest := 0
	for i, group := range p.groups {
		if len(group) < len(p.groups[smallest]) {
			smallest = i
		}
	}
	p.groups[smallest] = append(p.groups[smallest], one)
	if !p.isRunning {
		p.isRunning = true
		time.AfterFunc(pollInterval/pollGroups, p.tick)
	}
}

// tick looks for the news of the next group, and starts the timer of the next tick.
func (p *Poller) tick() {
	p.mu.Lock()
	p.current = (p.current + 1) % pollGroups
	group := p.groups[p.current]
	p.groups[p.current] = nil
	p.mu.Unlock()
	rest := group[:0]
	for _, one := range group {
		if one.ctx.Err() == nil && !one.deliver() {
			rest = append(rest, one)
		}
	}
	clear(group[len(rest):])
	p.mu.Lock()
	defer p.mu.Unlock()
	p.groups[p.current] = append(rest, p.groups[p.current]...)
	p.isRunning = false
	for _, group := range p.groups {
		p.isRunning = p.isRunning || len(group) > 0
	}
	if p.isRunning {
		time.AfterFunc(pollInterval/pollGroups, p.tick)
	}
}

// deliver looks for news, sends it, and reports whether the poll is done. A panic of look ends only its own session.
func (p *poll) deliver() (done bool) {
	defer func() {
		if fault := recover(); fault != nil {
			done = true
			p.send(faultMsg(fmt.Sprintf("%v\n%s", fault, debug.Stack())))
		}
	}()
	msg := p.look()
	if msg != nil {
		p.send(msg)
	}
	return msg != nil
}

// faultMsg carries a panic of another goroutine, with its stack, to Update, which panics with it.
type faultMsg string
