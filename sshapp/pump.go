package sshapp

import (
	"context"
	"io"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

const (
	inputRate  rate.Limit = 1024 // bytes a second, far above what a person types
	inputBurst            = 4096
	maxPending            = 4096 // bytes without an event: no key is that long
	maxPaste              = 64   // characters; only codes are ever pasted here
	readBuffer            = 256
	escapeWait            = 50 * time.Millisecond // until an escape byte is the Escape key
)

// pump reads a player's keys. What it does not know, it drops; above all, sizes typed as input. It keeps at most maxPending bytes.
type pump struct {
	send func(uv.Event) // may wait; returns at once when the program has ended

	mu      sync.Mutex
	decoder uv.EventDecoder
	pending []byte
	expiry  *time.Timer
	pasting bool
	paste   []rune
}

func newPump(send func(uv.Event)) *pump {
	p := &pump{send: send}
	p.expiry = time.AfterFunc(escapeWait, p.expire)
	p.expiry.Stop()
	return p
}

// run pumps until the input ends, ctx is done, or the input makes no sense.
func (p *pump) run(ctx context.Context, input io.Reader) {
	defer p.expiry.Stop()
	pace := rate.NewLimiter(inputRate, inputBurst)
	buffer := make([]byte, readBuffer)
	for {
		n, err := input.Read(buffer)
		if n > 0 && !p.feed(buffer[:n]) || err != nil || pace.WaitN(ctx, n) != nil {
			return
		}
	}
}

// feed decodes more input and reports whether it makes sense so far.
func (p *pump) feed(input []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expiry.Stop()
	p.pending = append(p.pending, input...)
	p.decode(false)
	if len(p.pending) > 0 {
		p.expiry.Reset(escapeWait)
	} else {
		p.pending = nil
	}
	return len(p.pending) < maxPending
}

// expire takes what is pending for what it looks like: nothing more came.
func (p *pump) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decode(true)
}

func (p *pump) decode(expired bool) {
	for len(p.pending) > 0 {
		n, event := p.decoder.Decode(p.pending)
		if n == 0 || !expired && p.unfinished(n, event) {
			return
		}
		p.pending = p.pending[n:]
		p.deliver(event)
	}
}

// unfinished reports whether more input could change what the first n pending bytes mean.
func (p *pump) unfinished(n int, event uv.Event) bool {
	if _, unknown := event.(uv.UnknownEvent); unknown {
		return true
	}
	return p.pending[0] == '\x1b' && n <= 2
}

func (p *pump) deliver(event uv.Event) {
	switch event := event.(type) {
	case uv.MultiEvent:
		for _, one := range event {
			p.deliver(one)
		}
	case uv.PasteStartEvent:
		p.pasting, p.paste = true, nil
	case uv.PasteEndEvent:
		if p.pasting {
			p.send(uv.PasteEvent{Content: string(p.paste)})
		}
		p.pasting, p.paste = false, nil
	case uv.KeyPressEvent:
		if !p.pasting {
			p.send(event)
		} else if room := maxPaste - len(p.paste); room > 0 {
			text := []rune(event.Text)
			p.paste = append(p.paste, text[:min(room, len(text))]...)
		}
	case uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
		if !p.pasting {
			p.send(event)
		}
	}
}
