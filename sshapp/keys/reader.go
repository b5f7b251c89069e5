package keys

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

const (
	inputRate  rate.Limit = 256 // bytes a second, above what a person types
	inputBurst            = 4096
	maxFlood              = 1 << 20 // bytes typed faster than that, and dropped, until the session ends
	floodPause            = time.Millisecond
	maxPending            = 4096 // bytes without an event: no key is that long
	maxPaste              = 64   // characters; only codes are ever pasted here
	readBuffer            = 256
	escapeWait            = 50 * time.Millisecond // until an escape byte is the Escape key
)

// Reader reads a player's keys. What it does not know, it drops; above all, sizes typed as input. What comes faster
// than a person types is read and dropped as well: left where it is, it would cost memory, and hide that the client has
// gone. It keeps at most maxPending bytes.
type Reader struct {
	send  func(uv.Event) // may wait; returns at once when the program has ended
	Pay   func(keys int) // waits until that many bytes of keys may be done; may be nil
	fault func(any)      // is called with a panic of the decoder, after which the input is at an end

	mu      sync.Mutex
	decoder uv.EventDecoder
	pending []byte
	expiry  *time.Timer // nil until an escape byte comes alone
	pasting bool
	paste   []rune
	pasted  int // bytes since the paste began
}

// Why a key reader ends before its input does.
var (
	errFlood        = errors.New("too much input")
	errInvalidInput = errors.New("unrecognised input")
)

// NewReader hands the events that it decodes to send, which may wait, and a panic of the decoder to fault.
func NewReader(send func(uv.Event), fault func(any)) *Reader {
	return &Reader{send: send, fault: fault}
}

// Run pumps until the input ends, ctx is done, or one of these errors.
func (r *Reader) Run(ctx context.Context, input io.Reader) error {
	defer r.contain()
	defer r.stopExpiry()
	pace, flood := rate.NewLimiter(inputRate, inputBurst), 0
	buffer := make([]byte, readBuffer)
	for ctx.Err() == nil {
		n, err := input.Read(buffer)
		switch {
		case err != nil:
			return nil
		case pace.AllowN(time.Now(), n):
			if r.Pay != nil {
				r.Pay(n)
			}
			if !r.feed(buffer[:n]) {
				return errInvalidInput
			}
		case flood+n > maxFlood:
			return errFlood
		default:
			flood += n
			<-time.After(floodPause)
		}
	}
	return nil
}

// contain takes a panic for the end of the input.
func (r *Reader) contain() {
	if fault := recover(); fault != nil {
		r.fault(fault)
	}
}

// keepPending keeps what is pending from expiring.
func (r *Reader) keepPending() {
	if r.expiry != nil {
		r.expiry.Stop()
	}
}

func (r *Reader) stopExpiry() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keepPending()
}

// feed decodes more input and reports whether it makes sense so far.
func (r *Reader) feed(input []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keepPending()
	r.pending = append(r.pending, input...)
	if r.pasting {
		r.pasted += len(input)
	}
	r.decode(false)
	switch {
	case len(r.pending) == 0:
		r.pending = nil
	case r.expiry == nil:
		r.expiry = time.AfterFunc(escapeWait, r.expire)
	default:
		r.expiry.Reset(escapeWait)
	}
	return len(r.pending) < maxPending && r.pasted < maxPending
}

// expire decodes the pending bytes as they are, because none came for escapeWait: a lone ESC is the Escape key. A timer
// calls it in its own goroutine.
func (r *Reader) expire() {
	defer r.contain()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decode(true)
}

func (r *Reader) decode(expired bool) {
	for len(r.pending) > 0 {
		if n := invalidPrefix(r.pending); n > 0 {
			r.pending = r.pending[n:]
			continue
		}
		n, event := r.decoder.Decode(r.pending)
		if n == 0 || !expired && r.unfinished(n, event) {
			return
		}
		r.pending = r.pending[n:]
		r.deliver(event)
	}
}

// invalidPrefix is how many bytes the input begins with that no terminal sends, or 0: a control of one byte above those
// of ASCII, beyond the end of which the decoder reads, or a record of Windows' console (CSI ... _), which says how
// often its key is to count, 65,535 times at most. The decoder looks behind escapes, so those before it belong to it.
func invalidPrefix(input []byte) int {
	rest := bytes.TrimLeft(input, "\x1b")
	escapes := len(input) - len(rest)
	switch {
	case len(rest) > 0 && is8BitControl(rest[0]):
		return escapes + 1
	case escapes == 0 || len(rest) == 0 || rest[0] != '[':
		return 0
	}
	end := bytes.IndexFunc(rest[1:], isFinal) + 1
	if end == 0 || rest[end] != '_' {
		return 0
	}
	return escapes + end + 1
}

func is8BitControl(b byte) bool { return 0x80 <= b && b < 0xa0 }

// isFinal reports whether a sign ends a sequence that began with CSI.
func isFinal(r rune) bool { return '@' <= r && r <= '~' }

// unfinished reports whether more input could change what the first n pending bytes mean.
func (r *Reader) unfinished(n int, event uv.Event) bool {
	if _, unknown := event.(uv.UnknownEvent); unknown {
		return true
	}
	return r.pending[0] == '\x1b' && n <= 2
}

func (r *Reader) deliver(event uv.Event) {
	switch event := event.(type) {
	case uv.MultiEvent:
		for _, one := range event {
			r.deliver(one)
		}
	case uv.PasteStartEvent:
		r.pasting, r.paste, r.pasted = true, nil, 0
	case uv.PasteEndEvent:
		if r.pasting {
			r.send(uv.PasteEvent{Content: string(r.paste)})
		}
		r.pasting, r.paste, r.pasted = false, nil, 0
	case uv.KeyPressEvent:
		if event.Mod == 0 && (event.Code == uv.KeyBegin || event.Code == uv.KeyKpBegin) { // keypad 5 without Num Lock
			event = uv.KeyPressEvent{Code: uv.KeyKp5, Text: "5"}
		}
		if !r.pasting {
			r.send(event)
		} else if room := maxPaste - len(r.paste); room > 0 {
			text := []rune(event.Text)
			r.paste = append(r.paste, text[:min(room, len(text))]...)
		}
	case uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
		if !r.pasting {
			r.send(event)
		}
	}
}
