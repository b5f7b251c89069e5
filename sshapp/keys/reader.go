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
	maxFlood              = 1 << 20 // bytes beyond inputRate that are dropped before the session ends
	floodPause            = time.Millisecond
	maxPending            = 4096 // bytes of an unfinished sequence; real ones are shorter
	readBuffer            = 256

	escapeWait   = 50 * time.Millisecond // until an escape byte alone is the Escape key
	sequenceWait = time.Second           // for the next byte of a sequence that has begun
	lateWait     = 4 * time.Second       // for the rest of a sequence that did not come in time

	pasteWait              = time.Second // for the next byte of a paste
	pasteRate   rate.Limit = 64 << 10    // bytes a second of pastes, on average
	maxPaste               = 8 << 20     // bytes of one paste; no clipboard holds more by chance
	maxPasted              = 64          // characters that are kept of a paste; players paste only codes
	pasteResume            = 32          // bytes that come at once only in a paste

	maxEscapes = 16 // escape bytes before a sequence that count as part of it
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

// Reader reads a player's keys. A Reader drops unknown sequences, above all reports of a size that a client types as
// input, and keeps at most maxPending bytes.
//
// A Reader joins the pieces of a sequence. If the end of a sequence does not come in time, the Reader drops the
// sequence and the rest that comes later, which would otherwise be read as keys. Of a paste it keeps only the
// beginning.
type Reader struct {
	send  func(uv.Event) // may wait; returns at once when the program has ended
	fault func(any)      // gets a panic of the decoder, which ends the input

	Pay     func(keys int) // waits until the work of so many bytes of keys is paid for; may be nil
	OnPaste func(on bool)  // is called at the beginning and the end of a paste, whose bytes cost little; may be nil

	mu        sync.Mutex
	decoder   uv.EventDecoder
	state     readerState
	pending   []byte      // the beginning of a sequence, or in a paste perhaps that of its end
	lateUntil time.Time   // if set, the pending sequence is late: Reader drops it once it is complete or at this time
	escapedAt time.Time   // when an escape byte became the Escape key; zero after further input
	expiry    *time.Timer // nil before the first pending byte
	expiresAt time.Time   // zero while the timer is stopped
	paste     []byte      // the beginning of the latest paste

	pace, pastePace *rate.Limiter
	dropped         int // bytes that came too fast
}

// readerState says how a Reader takes the next bytes.
type readerState uint8

const (
	typing  readerState = iota
	pasting             // a paste
	stalled             // a paste has paused: much input at once continues the paste, else the input is keys
)

// Why a key reader ends before its input does.
var (
	errFlood        = errors.New("too much input")
	errInvalidInput = errors.New("unrecognised input")
)

// NewReader returns a reader that passes events to send, and a panic of the decoder to fault. send may wait, but must
// return when the program has ended.
func NewReader(send func(uv.Event), fault func(any)) *Reader {
	return &Reader{
		send: send, fault: fault,
		pace: rate.NewLimiter(inputRate, inputBurst), pastePace: rate.NewLimiter(pasteRate, maxPaste),
	}
}

// Run reads until the input ends or ctx is done. It returns an error if no person can have typed the input.
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

// take decodes input and waits until it is paid for. Pending bytes do not expire during that time.
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

// feed decodes input and returns how many bytes of it were keys.
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

// followsEscape reports whether input looks like the rest of a sequence after its escape byte.
func followsEscape(input []byte) bool {
	return input[0] == '[' || len(input) > 1 && bytes.IndexByte([]byte("O]P_^X"), input[0]) >= 0
}

func (r *Reader) enter(state readerState) {
	if r.OnPaste != nil && (state == pasting) != (r.state == pasting) {
		r.OnPaste(state == pasting)
	}
	r.state = state
}

// skipPaste takes pending bytes of a paste, keeps the first ones, and sends an event at the end of the paste. It
// returns how many bytes it took. If isAlone, the byte came alone and may be a key that ends the paste, of which
// skipPaste takes none.
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

// endsPaste reports whether pending is a key that lets a player out of a paste.
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

// pastedText returns the printable characters at the beginning of a paste.
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

// readSequence decodes the first pending key or sequence. It returns its length n, or 0 if it is not complete, and how
// many of its bytes to pay for. Bytes beyond inputRate are dropped and not paid for.
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

// sequence returns the length of the first key or sequence of input, or 0 if it is not complete. isValid is false for
// input that the decoder must not see:
//   - a sequence that breaks off;
//   - a control byte from 0x80 to 0x9f, because the decoder would read beyond it;
//   - a function key of the Linux console;
//   - a record of the Windows console (CSI ... _), because it repeats a key up to 65,535 times.
//
// Escape bytes before a sequence belong to it, because the decoder looks at the bytes behind them.
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

// controlSequence returns the result of [sequence] for rest, which begins with the bracket after an escape byte.
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

// controlString returns the result of [sequence] for rest, which follows an escape byte and lasts until a terminator.
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

// endAt returns the length of a sequence that continues, from the byte at start, until a byte for which isLast is true.
// An unprintable byte breaks off the sequence.
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

// decode sends the events of a whole sequence. If the decoder takes its escape byte alone for a key, decode continues
// with the rest.
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

// startExpiry starts the timer for pending bytes. isAlone says that the last byte came alone.
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

// isEscape reports whether pending has only escape bytes, from one or more presses of the Escape key.
func isEscape(pending []byte) bool { return len(bytes.Trim(pending, string(escape))) == 0 }

// expire decides about pending bytes after a pause. An escape byte is the Escape key. A sequence or a paste has lost
// its end. A timer calls expire on its own goroutine.
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
