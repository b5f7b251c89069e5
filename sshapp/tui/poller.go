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
	// pollGroups spreads the polls of many sessions over the interval, because news may have all of them draw.
	pollGroups = 8
)

// Poller looks for news on behalf of the screens of all sessions, one look for each session in pollInterval. A timer
// and a goroutine for each session would take most of the CPU time of an idle server. The zero value is ready. Any
// goroutine may use a Poller.
type Poller struct {
	mu        sync.Mutex
	groups    [pollGroups][]*poll
	due       int  // the group that was looked at last
	isRunning bool // a timer will call tick
}

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

// tick looks for news of one group.
func (p *Poller) tick() {
	p.mu.Lock()
	p.due = (p.due + 1) % pollGroups
	group := p.groups[p.due]
	p.groups[p.due] = nil
	p.mu.Unlock()
	rest := group[:0]
	for _, one := range group {
		if one.ctx.Err() == nil && !one.hasNews() {
			rest = append(rest, one)
		}
	}
	clear(group[len(rest):])
	p.mu.Lock()
	defer p.mu.Unlock()
	p.groups[p.due] = append(rest, p.groups[p.due]...)
	p.isRunning = false
	for _, group := range p.groups {
		p.isRunning = p.isRunning || len(group) > 0
	}
	if p.isRunning {
		time.AfterFunc(pollInterval/pollGroups, p.tick)
	}
}

// hasNews looks for news and sends it. A panic ends only the session of the poll.
func (p *poll) hasNews() (found bool) {
	defer func() {
		if fault := recover(); fault != nil {
			found = true
			p.send(faultMsg(fmt.Sprintf("%v\n%s", fault, debug.Stack())))
		}
	}()
	msg := p.look()
	if msg != nil {
		p.send(msg)
	}
	return msg != nil
}

// faultMsg has Update panic, for a panic outside of Update.
type faultMsg string
