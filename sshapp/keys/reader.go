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
	inputRate  rate.Limit = 256              // bytes of keys a second, more than a person types
	inputBurst            = 4096             // bytes of keys at once beyond inputRate
	maxFlood              = 1 << 20          // bytes beyond inputRate and pasteRate before Run returns errFlood
	floodPause            = time.Millisecond // before the next read, when bytes came too fast
	maxPending            = 4096             // bytes of an unfinished sequence, sequences of terminals are shorter
	readBuffer            = 256              // bytes of the largest read

	escapeWait   = 50 * time.Millisecond // after an escape byte, before that byte counts as the Escape key
	sequenceWait = time.Second           // for the next byte of a sequence that has begun
	lateWait     = 4 * time.Second       // for the rest of a sequence, after sequenceWait is over

	pasteWait                = time.Second // for the next byte of a paste
	pasteRate     rate.Limit = 64 << 10    // bytes a second of pastes, on average
	pasteBurst               = 8 << 20     // bytes of pastes at once beyond pasteRate, more than a usual clipboard
	maxPasteChars            = 64          // characters kept of a paste, since players paste only codes
	pasteResume              = 32          // bytes of the smallest read that continues a paste, more than a key has

	maxEscapes = 16 // escape bytes before a sequence that count as part of it
)

// Bytes that a terminal puts around a paste.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

const (
	escape = '\x1b'
	ctrlC  = '\x03'
)

// Reader reads a player's keys. A Reader drops every event except keys, pastes, mouse clicks, the mouse wheel, the
// background color and the focus. A Reader drops, for example, a report of the window's size. A Reader keeps at most
// maxPending bytes of a sequence, and the beginning of a paste.
//
// A Reader joins the pieces of a sequence. If the end does not come in time, the Reader drops the sequence and its
// late rest. Otherwise the rest would be read as keys.
type Reader struct {
	send    func(uv.Event) // may wait, but returns at once when the program has ended
	onPanic func(any)      // called with a panic of Run or expire

	// OnKeys is called after n bytes of keys and sequences. The Reader reads on when OnKeys returns. OnKeys may be nil.
	OnKeys  func(n int)
	OnPaste func(on bool) // called when a paste begins and ends, may be nil

	mu           sync.Mutex
	decoder      uv.EventDecoder
	state        readerState
	room         [16]byte    // for pending
	pending      []byte      // unfinished bytes of a sequence, or of pasteEnd in a paste
	isSingleByte bool        // the last read returned one byte
	lateUntil    time.Time   // if set, the pending sequence is late, and is dropped when it is complete or at this time
	escapedAt    time.Time   // when an escape byte became the Escape key, zero after further input
	timer        *time.Timer // calls expire, nil before the first pending byte
	expiresAt    time.Time   // zero while the timer is stopped
	paste        []byte      // the beginning of the latest paste

	pace, pastePace *rate.Limiter
	dropped         int // bytes that came too fast, of keys and pastes
}

type readerState uint8

const (
	typing readerState = iota
	pasting
	// A paste has paused. A read of at least pasteResume bytes continues the paste, unless an escape byte comes first.
	stalled
)

var (
	errFlood        = errors.New("too much input")
	errInvalidInput = errors.New("unrecognised input")
)

// NewReader returns a reader that passes events to send, and a panic of Run or of a timer to onPanic. The reader calls
// send and OnPaste with its lock held, on the goroutine of Run or of a timer. A call of send may wait, but must return
// when the program has ended.
func NewReader(send func(uv.Event), onPanic func(any)) *Reader {
	return &Reader{
		send: send, onPanic: onPanic,
		pace: rate.NewLimiter(inputRate, inputBurst), pastePace: rate.NewLimiter(pasteRate, pasteBurst),
	}
}

// Run reads until the input ends, and checks ctx between two reads. The error is errFlood after more than maxFlood
// dropped bytes, and errInvalidInput if an unfinished sequence has maxPending bytes.
func (r *Reader) Run(ctx context.Context, input io.Reader) error {
	defer r.recoverPanic()
	defer r.stopExpiry()
	buffer := make([]byte, readBuffer)
	for ctx.Err() == nil {
		n, err := input.Read(buffer)
		if err != nil {
			return nil
		}
		if n == 0 { // allowed by io.Reader
			continue
		}
		if err := r.handleInput(buffer[:n]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) recoverPanic() {
	if fault := recover(); fault != nil {
		r.onPanic(fault)
	}
}

func (r *Reader) stopExpiry() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopExpiryLocked()
}

func (r *Reader) stopExpiryLocked() {
	r.expiresAt = time.Time{}
	if r.timer != nil {
		r.timer.Stop()
	}
}

// handleInput decodes input, at least one byte, and calls OnKeys. Until OnKeys returns, pending bytes do not expire.
func (r *Reader) handleInput(input []byte) error {
	dropped := r.dropped
	keyBytes, err := r.decodeInput(input)
	if keyBytes > 0 && r.OnKeys != nil {
		r.OnKeys(keyBytes)
	}
	if r.dropped > dropped {
		<-time.After(floodPause)
	}
	r.startExpiry()
	return err
}

// decodeInput sends the events of input. keyBytes is the number of bytes of keys and sequences for OnKeys.
func (r *Reader) decodeInput(input []byte) (keyBytes int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopExpiryLocked()
	r.isSingleByte = len(input) == 1
	now := time.Now()
	if !r.escapedAt.IsZero() && now.Sub(r.escapedAt) < sequenceWait && followsEscape(input) {
		r.pending, r.lateUntil = []byte{escape}, now.Add(lateWait)
	}
	r.escapedAt = time.Time{}
	if r.state == stalled && len(input) >= pasteResume && input[0] != escape {
		r.setState(pasting)
	}
	if len(r.pending) == 0 {
		r.pending = r.room[:0]
	}
	r.pending = append(r.pending, input...)
	for n := 1; n > 0 && len(r.pending) > 0; {
		if r.state == pasting {
			n = r.readPaste(now)
		} else {
			var taken int
			n, taken = r.readSequence(now)
			keyBytes += taken
		}
		r.pending = r.pending[n:]
	}
	switch {
	case r.dropped > maxFlood:
		return keyBytes, errFlood
	case len(r.pending) >= maxPending:
		return keyBytes, errInvalidInput
	}
	return keyBytes, nil
}

// followsEscape reports whether input looks like the rest of a sequence after its escape byte.
func followsEscape(input []byte) bool {
	return input[0] == '[' || len(input) > 1 && bytes.IndexByte([]byte("O]P_^X"), input[0]) >= 0
}

func (r *Reader) setState(state readerState) {
	if r.OnPaste != nil && (state == pasting) != (r.state == pasting) {
		r.OnPaste(state == pasting)
	}
	r.state = state
}

// readPaste takes pending bytes of a paste and returns their number. At the end of the paste, readPaste sends an event.
// An Escape or Ctrl-C that was read alone stays pending, because a player may press the key to get out of a paste
// without an end.
func (r *Reader) readPaste(now time.Time) int {
	if r.isSingleByte && isExitKey(r.pending) {
		return 0
	}
	content, _, isOver := bytes.Cut(r.pending, []byte(pasteEnd))
	n := len(content)
	if isOver {
		n += len(pasteEnd)
	} else {
		content = content[:n-partialMarkLen(content, pasteEnd)]
		n = len(content)
	}
	if !r.pastePace.AllowN(now, n) {
		r.dropped += n
	}
	r.paste = append(r.paste, content[:min(len(content), maxPasteChars*utf8.UTFMax-len(r.paste))]...)
	if isOver {
		r.setState(typing)
		if r.pace.AllowN(now, len(pasteEnd)) {
			r.send(uv.PasteEvent{Content: pastedText(r.paste)})
		} else {
			r.dropped += len(pasteEnd)
		}
		r.paste = nil
	}
	return n
}

// isExitKey reports whether pending is one byte, of Escape or Ctrl-C.
func isExitKey(pending []byte) bool {
	return len(pending) == 1 && (pending[0] == escape || pending[0] == ctrlC)
}

// partialMarkLen returns the length of the longest suffix of content that is a proper prefix of mark.
func partialMarkLen(content []byte, mark string) int {
	n := min(len(content), len(mark)-1)
	for !bytes.HasSuffix(content, []byte(mark[:n])) {
		n--
	}
	return n
}

// pastedText returns the printable characters at the beginning of a paste.
func pastedText(paste []byte) string {
	var text []rune
	for n := 1; n > 0 && len(paste) > 0 && len(text) < maxPasteChars; paste = paste[n:] {
		n, _ = scanSequence(paste)
		if char, size := utf8.DecodeRune(paste); size == n && char != utf8.RuneError && unicode.IsGraphic(char) {
			text = append(text, char)
		}
	}
	return string(text)
}

// readSequence takes the first pending key or sequence, of n bytes. n is 0 if that key or sequence is incomplete.
// keyBytes is the number of bytes for OnKeys. Bytes beyond inputRate are dropped and do not count.
func (r *Reader) readSequence(now time.Time) (n, keyBytes int) {
	n, isValid := scanSequence(r.pending)
	if n == 0 {
		return 0, 0
	}
	sequence, isLate := r.pending[:n], !r.lateUntil.IsZero()
	r.lateUntil = time.Time{}
	inPace := r.pace.AllowN(now, n)
	if !inPace {
		r.dropped += n
	}
	switch {
	case string(sequence) == pasteStart:
		r.setState(pasting)
		r.paste = nil
	case string(sequence) == pasteEnd:
		r.setState(typing)
	case isValid && inPace && !isLate:
		r.decode(sequence)
	}
	if inPace {
		keyBytes = n
	}
	return n, keyBytes
}

// scanSequence returns the length of the first key or sequence of input, or 0 if it is not complete. isValid is
// false for input that the decoder must not see:
//   - A sequence that breaks off.
//   - A control byte from 0x80 to 0x9f, because the decoder would read beyond it.
//   - A function key of the Linux console.
//   - A record of the Windows console (CSI ... _), because it repeats a key up to 65,535 times.
//
// Escape bytes before a sequence belong to it, because the decoder looks at the bytes behind them.
func scanSequence(input []byte) (n int, isValid bool) {
	escapes := 0
	for escapes < len(input) && escapes <= maxEscapes && input[escapes] == escape {
		escapes++
	}
	rest := input[escapes:]
	switch {
	case escapes > maxEscapes:
		return 1, true // the first of too many escape bytes is a key
	case len(rest) == 0:
		return 0, false
	case escapes > 0 && rest[0] == '[':
		n, isValid = scanControlSequence(rest)
	case escapes > 0 && rest[0] == 'O':
		n, isValid = scanUntil(rest, 1, func(c byte) bool { return c < '0' || c > '9' })
	case escapes > 0 && bytes.IndexByte([]byte("]P_^X"), rest[0]) >= 0:
		n, isValid = scanControlString(rest)
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

// scanControlSequence is scanSequence for rest, a sequence without its escape bytes. rest begins with a bracket.
func scanControlSequence(rest []byte) (n int, isValid bool) {
	n, isValid = scanUntil(rest, 1, func(c byte) bool { return c >= '@' })
	switch {
	case !isValid:
	case n == 2 && rest[1] == '[': // a function key of the Linux console
		n, _ = scanUntil(rest, 2, func(byte) bool { return true })
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

// scanControlString is scanSequence for a string with a terminator. rest begins after the escape byte.
func scanControlString(rest []byte) (n int, isValid bool) {
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

// scanUntil returns the length of rest up to and including its first byte from start on that satisfies isLast. An
// unprintable byte breaks off the sequence.
func scanUntil(rest []byte, start int, isLast func(byte) bool) (n int, isWhole bool) {
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

// usualKeys returns the events of the keys that players press most, by their sequences. They are made once, because an
// event costs an allocation.
var usualKeys = sync.OnceValue(func() map[string]uv.Event {
	all, decoder := make(map[string]uv.Event), uv.EventDecoder{}
	add := func(sequence string) { _, all[sequence] = decoder.Decode([]byte(sequence)) }
	for _, arrow := range "ABCD" {
		add("\x1b[" + string(arrow))
		add("\x1bO" + string(arrow))
	}
	for char := ' '; char <= '~'; char++ {
		add(string(char))
	}
	add("\r")
	add("\t")
	add("\x7f")
	return all
})

// decode sends the events of a whole sequence. If the decoder takes the first escape byte alone for a key, decode
// continues with the rest.
func (r *Reader) decode(sequence []byte) {
	if event, ok := usualKeys()[string(sequence)]; ok {
		r.send(event)
		return
	}
	for {
		n, event := r.decoder.Decode(sequence)
		r.sendEvent(event)
		if n != 1 || sequence[0] != escape || len(sequence) == 1 {
			return
		}
		sequence = sequence[1:]
	}
}

// sendEvent sends the events that a Reader keeps.
func (r *Reader) sendEvent(event uv.Event) {
	switch event := event.(type) {
	case uv.MultiEvent:
		for _, one := range event {
			r.sendEvent(one)
		}
	case uv.KeyPressEvent:
		if event.Mod == 0 && (event.Code == uv.KeyBegin || event.Code == uv.KeyKpBegin) { // keypad 5 without Num Lock
			event = uv.KeyPressEvent{Code: uv.KeyKp5, Text: "5"}
		}
		r.send(event)
	case uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent, uv.FocusEvent:
		r.send(event)
	}
}

// startExpiry starts the timer for pending bytes.
func (r *Reader) startExpiry() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.state == pasting && r.isSingleByte && isExitKey(r.pending):
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
	if r.timer == nil {
		r.timer = time.AfterFunc(wait, r.expire)
	} else {
		r.timer.Reset(wait)
	}
}

// isEscape reports whether pending has only escape bytes, from one or more presses of the Escape key.
func isEscape(pending []byte) bool { return len(bytes.Trim(pending, string(escape))) == 0 }

// expire decides about pending bytes after a pause. A timer calls expire on its own goroutine.
//   - Escape bytes alone are Escape keys, but the rest of a sequence may still follow (see followsEscape).
//   - In a paste, only an escape byte or Ctrl-C that was read alone is a key. The beginning of pasteEnd is dropped.
//   - An unfinished sequence becomes late, and stays pending for lateWait. After that it is dropped.
//
// A paste becomes stalled.
func (r *Reader) expire() {
	defer r.recoverPanic()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expiresAt.IsZero() || time.Now().Before(r.expiresAt) { // input came just now
		return
	}
	r.expiresAt = time.Time{}
	isOver := true
	switch {
	case len(r.pending) == 0: // between two pieces of a paste
	case isEscape(r.pending):
		if r.state != pasting || r.isSingleByte {
			r.decode(r.pending)
		}
		r.escapedAt = time.Now()
	case r.state == pasting && isExitKey(r.pending):
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
		r.setState(stalled)
	}
}
