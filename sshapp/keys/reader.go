package keys

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

const (
	inputRate  rate.Limit = 256 // bytes a second, above what a person types
	inputBurst            = 4096
	maxFlood              = 1 << 20 // bytes typed faster than that, and dropped, until the session ends
	floodPause            = time.Millisecond
	maxPending            = 4096 // bytes of a sequence without an end: none is that long
	readBuffer            = 256

	escapeWait   = 50 * time.Millisecond // until an escape byte that nothing follows is the Escape key
	sequenceWait = time.Second           // for the next byte of a sequence that has begun
	lateWait     = 4 * time.Second       // for the rest of one that did not come in time

	pasteWait              = time.Second // for the next byte of a paste
	pasteRate   rate.Limit = 64 << 10    // bytes a second that are pasted, on average
	maxPaste               = 8 << 20     // bytes that are pasted at once: no clipboard holds more by chance
	maxPasted              = 64          // characters that are kept of a paste: only codes are ever pasted here
	pasteResume            = 32          // bytes that come at once only in a paste

	maxEscapes = 16 // escape bytes before a sequence that belong to it
)

// The bytes that a terminal puts around a paste.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

const (
	escape = '\x1b'
	ctrlC  = '\x03'
)

// Reader reads a player's keys. It drops what it does not know, above all sizes typed as input, and keeps at most
// maxPending bytes.
//
// It joins the pieces of a sequence, and drops a sequence whose end does not come in time with its rest, which would be
// keys otherwise. It keeps only the beginning of a paste.
type Reader struct {
	send  func(uv.Event) // may wait; returns at once when the program has ended
	fault func(any)      // is called with a panic of the decoder, after which the input is at an end

	Pay     func(keys int) // waits until the work of so many bytes of keys has been paid for; may be nil
	OnPaste func(on bool)  // is told whether what comes next is a paste, which costs next to no work; may be nil

	mu        sync.Mutex
	decoder   uv.EventDecoder
	state     readerState
	pending   []byte      // what has come of a sequence; in a paste, what may be the beginning of its end
	lateUntil time.Time   // until when what is pending is dropped as soon as it is complete; zero if it is in time
	escapedAt time.Time   // when an escape byte became the Escape key; zero once something has come since
	expiry    *time.Timer // nil until something is pending
	expiresAt time.Time   // zero while nothing is to expire
	paste     []byte      // the beginning of the latest paste

	pace, pastePace *rate.Limiter
	dropped         int // bytes that came too fast
}

// readerState says how a Reader takes the next bytes.
type readerState uint8

const (
	typing  readerState = iota
	pasting             // a paste
	stalled             // keys, or the rest of a paste that was taken to be over if much comes at once
)

// Why a key reader ends before its input does.
var (
	errFlood        = errors.New("too much input")
	errInvalidInput = errors.New("unrecognised input")
)

// NewReader returns a reader that passes events to send, which may wait, and a panic of the decoder to fault.
func NewReader(send func(uv.Event), fault func(any)) *Reader {
	return &Reader{
		send: send, fault: fault,
		pace: rate.NewLimiter(inputRate, inputBurst), pastePace: rate.NewLimiter(pasteRate, maxPaste),
	}
}

// Run reads until the input ends, ctx is done, or the input is not that of a person: then it returns an error.
func (r *Reader) Run(ctx context.Context, input io.Reader) error {
	defer r.contain()
	defer r.stopExpiry()
	buffer := make([]byte, readBuffer)
	for ctx.Err() == nil {
		n, err := input.Read(buffer)
		if err != nil {
			return nil
		}
		if err := r.take(buffer[:n]); err != nil {
			return err
		}
	}
	return nil
}

// contain turns a panic into the end of the input.
func (r *Reader) contain() {
	if fault := recover(); fault != nil {
		r.fault(fault)
	}
}

func (r *Reader) stopExpiry() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.haltExpiry()
}

// haltExpiry prevents pending bytes from expiring.
func (r *Reader) haltExpiry() {
	r.expiresAt = time.Time{}
	if r.expiry != nil {
		r.expiry.Stop()
	}
}

// take adds input and waits until it is paid for. Nothing expires during that time.
func (r *Reader) take(input []byte) error {
	dropped := r.dropped
	keys, err := r.feed(input)
	if keys > 0 && r.Pay != nil {
		r.Pay(keys)
	}
	if r.dropped > dropped {
		<-time.After(floodPause)
	}
	r.startExpiry(len(input) == 1)
	return err
}

// feed decodes more input and returns how many bytes of it were keys.
func (r *Reader) feed(input []byte) (keys int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.haltExpiry()
	now := time.Now()
	if !r.escapedAt.IsZero() && now.Sub(r.escapedAt) < sequenceWait && followsEscape(input) {
		r.pending, r.lateUntil = []byte{escape}, now.Add(lateWait)
	}
	r.escapedAt = time.Time{}
	if r.state == stalled && len(input) >= pasteResume && input[0] != escape {
		r.enter(pasting)
	}
	r.pending = append(r.pending, input...)
	for n := 1; n > 0 && len(r.pending) > 0; {
		if r.state == pasting {
			n = r.skipPaste(now, len(input) == 1)
		} else {
			var taken int
			n, taken = r.readSequence(now)
			keys += taken
		}
		r.pending = r.pending[n:]
	}
	switch {
	case r.dropped > maxFlood:
		return keys, errFlood
	case len(r.pending) >= maxPending:
		return keys, errInvalidInput
	case len(r.pending) == 0:
		r.pending = nil
	}
	return keys, nil
}

// followsEscape reports whether input is the rest of a sequence whose escape byte came long before.
func followsEscape(input []byte) bool {
	return input[0] == '[' || len(input) > 1 && bytes.IndexByte([]byte("O]P_^X"), input[0]) >= 0
}

func (r *Reader) enter(state readerState) {
	if r.OnPaste != nil && (state == pasting) != (r.state == pasting) {
		r.OnPaste(state == pasting)
	}
	r.state = state
}

// skipPaste takes pending bytes of a paste, keeps the first of them and sends the event at its end. It returns how many
// it took: none if isAlone and the byte is a key that ends the paste.
func (r *Reader) skipPaste(now time.Time, isAlone bool) int {
	if isAlone && endsPaste(r.pending) {
		return 0
	}
	content, _, isOver := bytes.Cut(r.pending, []byte(pasteEnd))
	n := len(content)
	if isOver {
		n += len(pasteEnd)
	} else {
		content = content[:n-splitMark(content, pasteEnd)]
		n = len(content)
	}
	if !r.pastePace.AllowN(now, n) {
		r.dropped += n
	}
	r.paste = append(r.paste, content[:min(len(content), maxPasted*utf8.UTFMax-len(r.paste))]...)
	if isOver {
		r.enter(typing)
		if r.pace.AllowN(now, len(pasteEnd)) {
			r.send(uv.PasteEvent{Content: pastedText(r.paste)})
		} else {
			r.dropped += len(pasteEnd)
		}
		r.paste = nil
	}
	return n
}

// endsPaste reports whether pending is a key with which a player ends a paste.
func endsPaste(pending []byte) bool {
	return len(pending) == 1 && (pending[0] == escape || pending[0] == ctrlC)
}

// splitMark returns how many bytes at the end of content may be the beginning of mark.
func splitMark(content []byte, mark string) int {
	n := min(len(content), len(mark)-1)
	for !bytes.HasSuffix(content, []byte(mark[:n])) {
		n--
	}
	return n
}

// pastedText returns the text at the beginning of a paste.
func pastedText(paste []byte) string {
	var text []rune
	for n := 1; n > 0 && len(paste) > 0 && len(text) < maxPasted; paste = paste[n:] {
		n, _ = sequence(paste)
		if char, size := utf8.DecodeRune(paste); size == n && char != utf8.RuneError && unicode.IsGraphic(char) {
			text = append(text, char)
		}
	}
	return string(text)
}

// readSequence decodes the first key or sequence that is pending. It returns its length, 0 if more belongs to it, and
// how many bytes are to be paid for: all that came no faster than inputRate.
func (r *Reader) readSequence(now time.Time) (n, keys int) {
	n, isValid := sequence(r.pending)
	if n == 0 {
		return 0, 0
	}
	read, isLate := r.pending[:n], !r.lateUntil.IsZero()
	r.lateUntil = time.Time{}
	inPace := r.pace.AllowN(now, n)
	if !inPace {
		r.dropped += n
	}
	switch {
	case string(read) == pasteStart:
		r.enter(pasting)
		r.paste = nil
	case string(read) == pasteEnd:
		r.enter(typing)
	case isValid && inPace && !isLate:
		r.decode(read)
	}
	if inPace {
		keys = n
	}
	return n, keys
}

// sequence returns the length of the first key or sequence of input, 0 if more may belong to it. isValid is false for
// what the decoder must not see: what breaks off; a control byte from 0x80 to 0x9f, beyond which it reads; a function
// key of the Linux console; and a record of the Windows console (CSI ... _), which repeats a key up to 65,535 times.
// Escapes before a sequence belong to it, since the decoder looks behind them.
func sequence(input []byte) (n int, isValid bool) {
	escapes := 0
	for escapes < len(input) && escapes <= maxEscapes && input[escapes] == escape {
		escapes++
	}
	rest := input[escapes:]
	switch {
	case escapes > maxEscapes:
		return 1, true
	case len(rest) == 0:
		return 0, false
	case escapes > 0 && rest[0] == '[':
		n, isValid = controlSequence(rest)
	case escapes > 0 && rest[0] == 'O':
		n, isValid = endAt(rest, 1, func(c byte) bool { return c < '0' || c > '9' })
	case escapes > 0 && bytes.IndexByte([]byte("]P_^X"), rest[0]) >= 0:
		n, isValid = controlString(rest)
	case !utf8.FullRune(rest):
	default:
		_, n = utf8.DecodeRune(rest)
		isValid = rest[0] < 0x80 || rest[0] >= 0xa0
	}
	if n > 0 {
		n += escapes
	}
	return n, isValid
}

// controlSequence is [sequence] for what follows an escape byte, and begins with a bracket.
func controlSequence(rest []byte) (n int, isValid bool) {
	n, isValid = endAt(rest, 1, func(c byte) bool { return c >= '@' })
	switch {
	case !isValid:
	case n == 2 && rest[1] == '[': // a function key of the Linux console
		n, _ = endAt(rest, 2, func(byte) bool { return true })
		isValid = false
	case n == 2 && rest[1] == 'M': // a mouse report of three bytes
		if n += 3; n > len(rest) {
			n = 0
		}
	case rest[n-1] == '_':
		isValid = false
	}
	return n, isValid
}

// controlString is [sequence] for what follows an escape byte, and lasts until a terminator.
func controlString(rest []byte) (n int, isValid bool) {
	for i, c := range rest[1:] {
		switch {
		case c == '\a' && rest[0] == ']':
			return i + 2, true
		case c == escape && i+2 == len(rest):
			return 0, false
		case c == escape && rest[i+2] == '\\':
			return i + 3, true
		case c < ' ':
			return i + 1, false
		}
	}
	return 0, false
}

// endAt returns the length of a sequence that goes on, from the byte at start, until one that is its last. A byte that
// is not printable breaks it off.
func endAt(rest []byte, start int, isLast func(byte) bool) (n int, isWhole bool) {
	for i := start; i < len(rest); i++ {
		switch {
		case rest[i] < ' ' || rest[i] > '~':
			return i, false
		case isLast(rest[i]):
			return i + 1, true
		}
	}
	return 0, false
}

// decode sends the events of a whole sequence. Where the decoder takes an escape alone for a key, it decodes the rest.
func (r *Reader) decode(read []byte) {
	for {
		n, event := r.decoder.Decode(read)
		r.deliver(event)
		if n != 1 || read[0] != escape || len(read) == 1 {
			return
		}
		read = read[1:]
	}
}

func (r *Reader) deliver(event uv.Event) {
	switch event := event.(type) {
	case uv.MultiEvent:
		for _, one := range event {
			r.deliver(one)
		}
	case uv.KeyPressEvent:
		if event.Mod == 0 && (event.Code == uv.KeyBegin || event.Code == uv.KeyKpBegin) { // keypad 5 without Num Lock
			event = uv.KeyPressEvent{Code: uv.KeyKp5, Text: "5"}
		}
		r.send(event)
	case uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
		r.send(event)
	}
}

// startExpiry lets pending bytes expire if nothing comes. isAlone says that the last byte came alone.
func (r *Reader) startExpiry(isAlone bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.state == pasting && isAlone && endsPaste(r.pending):
		r.expireIn(escapeWait)
	case r.state == pasting:
		r.expireIn(pasteWait)
	case len(r.pending) == 0:
	case !r.lateUntil.IsZero():
		r.expireIn(time.Until(r.lateUntil))
	case isEscape(r.pending):
		r.expireIn(escapeWait)
	default:
		r.expireIn(sequenceWait)
	}
}

func (r *Reader) expireIn(wait time.Duration) {
	r.expiresAt = time.Now().Add(wait)
	if r.expiry == nil {
		r.expiry = time.AfterFunc(wait, r.expire)
	} else {
		r.expiry.Reset(wait)
	}
}

// isEscape reports whether all that is pending is the Escape key, pressed once or more.
func isEscape(pending []byte) bool { return len(bytes.Trim(pending, string(escape))) == 0 }

// expire decides about pending bytes after a pause: an escape byte is the Escape key, and a sequence or a paste has
// lost its end. A timer calls it on its own goroutine.
func (r *Reader) expire() {
	defer r.contain()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expiresAt.IsZero() || time.Now().Before(r.expiresAt) { // something came just now
		return
	}
	r.expiresAt = time.Time{}
	isOver := true
	switch {
	case len(r.pending) == 0: // between two pieces of a paste
	case isEscape(r.pending):
		r.decode(r.pending)
		r.escapedAt = time.Now()
	case r.state == pasting && endsPaste(r.pending):
		r.decode(r.pending)
	case r.state != pasting && r.lateUntil.IsZero():
		r.lateUntil = time.Now().Add(lateWait)
		r.expireIn(lateWait)
		isOver = false
	}
	if isOver {
		r.pending, r.lateUntil = nil, time.Time{}
	}
	if r.state == pasting {
		r.enter(stalled)
	}
}
