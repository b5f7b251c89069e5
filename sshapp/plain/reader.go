package plain

import "unicode/utf8"

// maxLine is the longest line that is looked at, in bytes.
const maxLine = 4096

// The keys that mean something in a line.
const (
	keyInterrupt = 0x03 // Ctrl-C
	keyEnd       = 0x04 // Ctrl-D
	keyBackspace = 0x08
	keyEscape    = 0x1b
	keyDelete    = 0x7f // what most terminals send for the backspace key
)

// lineReader makes lines of what is typed. What is no text and no key of a line is dropped, whole cursor keys among it.
type lineReader struct {
	line    []byte // the one that is being typed
	long    bool   // whether it has more than was kept
	escape  escape
	pressed bool // whether the last byte was a carriage return, so that a line feed is part of it
	lines   []entered
}

// entered is a line that was finished; end says that the player wants to go instead.
type entered struct {
	text string
	long bool
	end  bool
}

// escape is how much of a cursor key has come.
type escape uint8

const (
	noEscape escape = iota
	escaped         // the escape byte
	sequence        // and the bracket
)

func (t *lineReader) feed(chunk []byte) {
	for _, b := range chunk {
		t.key(b)
	}
}

func (t *lineReader) key(b byte) {
	pressed := t.pressed
	t.pressed = b == '\r'
	switch {
	case b == '\r', b == '\n' && !pressed:
		t.enter()
	case b == '\n':
	case t.escape != noEscape:
		t.skip(b)
	case b == keyEscape:
		t.escape = escaped
	case b == keyBackspace, b == keyDelete:
		_, size := utf8.DecodeLastRune(t.line)
		t.line = t.line[:len(t.line)-size]
	case b == keyInterrupt, b == keyEnd && len(t.line) == 0:
		t.line = t.line[:0]
		t.lines = append(t.lines, entered{end: true})
	case b == '\t':
		t.add(' ')
	case b >= ' ':
		t.add(b)
	}
}

func (t *lineReader) skip(b byte) {
	switch {
	case t.escape == escaped && (b == '[' || b == 'O'):
		t.escape = sequence
	case t.escape == escaped, '@' <= b && b <= '~':
		t.escape = noEscape
	}
}

func (t *lineReader) add(b byte) {
	if len(t.line) == maxLine {
		t.long = true
		return
	}
	t.line = append(t.line, b)
}

func (t *lineReader) enter() {
	t.lines = append(t.lines, entered{text: string(t.line), long: t.long})
	t.line, t.long, t.escape = nil, false, noEscape
}

// finish makes a line of what was typed last, when no more will come.
func (t *lineReader) finish() {
	if len(t.line) > 0 {
		t.enter()
	}
}

// next is the oldest line that was finished and not taken.
func (t *lineReader) next() (entered, bool) {
	if len(t.lines) == 0 {
		return entered{}, false
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	return line, true
}

// partial is what stands in the line that is being typed.
func (t *lineReader) partial() string {
	if len(t.lines) > 0 {
		return ""
	}
	return string(t.line)
}
