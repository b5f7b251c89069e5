package keys

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"notakto/internal/testkit"
)

// rethrow is the onPanic of readers that must not fail.
func rethrow(fault any) { panic(fault) }

// typed returns the names of a reader's events for input.
func typed(input ...string) []string {
	var names []string
	p := NewReader(func(event uv.Event) { names = append(names, name(event)) }, rethrow)
	defer p.stopExpiry()
	for _, part := range input {
		_ = p.handleInput([]byte(part))
	}
	return names
}

// pause separates two parts of the input of paused.
type pause time.Duration

// paused returns the names of a reader's events for parts of input with pauses.
func paused(t *testing.T, input ...any) string {
	t.Helper()
	var names []string
	synctest.Test(t, func(t *testing.T) {
		p := NewReader(func(event uv.Event) { names = append(names, name(event)) }, rethrow)
		defer p.stopExpiry()
		for _, part := range input {
			switch part := part.(type) {
			case pause:
				<-time.After(time.Duration(part))
				synctest.Wait()
			case string:
				for part != "" {
					n := min(len(part), readBuffer)
					testkit.OK(t, p.handleInput([]byte(part[:n])))
					part = part[n:]
				}
			}
		}
	})
	return strings.Join(names, " ")
}

// A sequence in two packets was once read as keys 50 ms after the first packet. A terminal's answer placed an X, and
// an arrow jumped to a board or asked whether to leave.
func TestReaderPutsSequencesTogether(t *testing.T) {
	const soon, late = pause(80 * time.Millisecond), pause(1500 * time.Millisecond)
	for _, one := range []struct {
		input []any
		want  string
	}{
		{[]any{"\x1b[?61;4;6;", soon, "7;14;21c", "x"}, "x"},
		{[]any{"\x1b[?61;4;6;", late, "7;14;21c", "x"}, "x"},
		{[]any{"\x1b[<35;1", soon, "0;5M", "x"}, "x"},
		{[]any{"\x1b[<0;1", soon, "0;5M", "x"}, "click x"},
		{[]any{"\x1b[<0;1", late, "0;5M", "x"}, "x"},
		{[]any{"\x1b[", soon, "C"}, "right"},
		{[]any{"\x1b[", late, "C", "x"}, "x"},
		{[]any{"\x1b", soon, "[C", "x"}, "esc x"},
		{[]any{"\x1b", soon, "[", soon, "C", "x"}, "esc x"},
		{[]any{"\x1b", soon, "OC", "x"}, "esc x"},
		{[]any{"\x1b", soon, "O", "x"}, "esc O x"},
		{[]any{"\x1b", late, "x"}, "esc x"},
		{[]any{"\x1b", soon, "\x1b[C"}, "esc right"},
		{[]any{"\x1bO", soon, "B"}, "down"},
		{[]any{"\x1bO", late, "B", "x"}, "x"},
		{[]any{"\x1b]11;rgb:1e", soon, "1e/5/5\x1b\\x"}, "other x"},
		{[]any{"\x1b]11;rgb:1e", late, "1e/5/5\x1b", soon, "\\x"}, "x"},
		{[]any{"\x1bP>|XTe", late, "rm(5)\x1b\\x"}, "x"},
		{[]any{"\x1b[M", soon, " 5", soon, "5", "x"}, "click x"},
		{[]any{"\x1b[[", soon, "A", "x"}, "x"},
		{[]any{"\xc3", soon, "\xa9"}, "é"},
		{[]any{"\xc3", late, "\xa9x"}, "x"},
		// A player gets out of an endless sequence by Ctrl-C or by waiting.
		{[]any{"\x1b]0;", soon, "abc", soon, "\x03x"}, "ctrl+c x"},
		{[]any{"\x1b]0;abc", pause(sequenceWait + lateWait), "x"}, "x"},
		{[]any{"\x1b[", pause(sequenceWait + lateWait), "5"}, "5"},
		{[]any{"\x1b[1;", soon, "\r"}, "enter"},
	} {
		testkit.Equal(t, paused(t, one.input...), one.want, one.input)
	}
}

// A paste of 4,400 bytes once ended the session. A paste of 5,000 bytes lost its end to inputRate, and no later key
// got through. A paste without an end blocked the keyboard for good.
func TestReaderTakesAPasteOfAnySize(t *testing.T) {
	const soon, second = pause(80 * time.Millisecond), pause(time.Second)
	code := "paste:" + strings.Repeat("x", maxPasteChars)
	for _, size := range []int{100, 4400, 5000, 100 << 10, 5 << 20} {
		pasted := pasteStart + strings.Repeat("x", size)
		for i, one := range []struct {
			input []any
			want  string
		}{
			{[]any{pasted + pasteEnd + "q"}, code + " q"},
			{[]any{pasted + "\x1b[31m\x1b\x03\r" + pasteEnd + "q"}, code + " q"},
			{[]any{pasted + pasteEnd[:3], soon, pasteEnd[3:] + "q"}, code + " q"},
			{[]any{pasted + pasteEnd[:1], soon, pasteEnd[1:] + "q"}, code + " q"},
			{[]any{pasted + pasteEnd[:1], pause(1500 * time.Millisecond), pasteEnd[1:] + "q"}, "q"},
			{[]any{pasted, second, "q"}, "q"},
			{[]any{pasted, "\x03", soon, "q"}, "ctrl+c q"},
			{[]any{pasted, "\x1b", soon, "q"}, "esc q"},
			{[]any{pasted, second, "q", pasteStart + "K7QX" + pasteEnd}, "q paste:K7QX"},
		} {
			testkit.Equal(t, paused(t, one.input...), one.want, size, i)
		}
	}
}

// The rest of a paste must not become keys after the link stood still for a second.
func TestReaderGoesOnWithAPasteThatStalled(t *testing.T) {
	rest := strings.Repeat("5", 3*pasteResume)
	got := paused(t, pasteStart+rest, pause(5*time.Second), rest+pasteEnd+"q")
	if !strings.HasPrefix(got, "paste:5") || !strings.HasSuffix(got, "5 q") {
		t.Errorf("got %q", got)
	}
}

func TestReaderSaysWhenAPasteIsOn(t *testing.T) {
	var told []bool
	p := NewReader(func(uv.Event) {}, rethrow)
	defer p.stopExpiry()
	p.OnPaste = func(on bool) { told = append(told, on) }
	for _, part := range []string{"x", pasteStart, "x", pasteEnd, "x", pasteStart + "x" + pasteEnd + pasteStart} {
		_ = p.handleInput([]byte(part))
	}
	testkit.Equal(t, fmt.Sprint(told), "[true false true false true]")
}

func name(event uv.Event) string {
	switch event := event.(type) {
	case uv.KeyPressEvent:
		return event.String()
	case uv.PasteEvent:
		return "paste:" + event.Content
	case uv.MouseClickEvent:
		return "click"
	default:
		return "other"
	}
}

// A size typed as input (CSI 8 t, CSI 48 t) once made the server allocate 65,535 columns of 65,535 rows, and crash. A
// record of the Windows console has a repeat count, and made 65,535 keys of 24 bytes. After an eight-bit control, the
// decoder reads beyond the end of a mouse report, and eight bytes crashed the server.
func TestReaderReadsKeysAndDropsReports(t *testing.T) {
	const record = "\x1b[74;0;106;1;0;65535_"
	for _, one := range []struct {
		want  string
		input []string
	}{
		{"a B 5 up down tab enter space", []string{"aB5\x1b[A\x1bOB\t\r "}},
		{"up j down", []string{"\x1b", "[", "Aj\x1b[", "B"}},
		{"paste:K7QX click é shift+begin", []string{"\x1b[200~K7QX\x1b[201~\x1b[<0;5;6Mé\x1b[1;2E"}},
		{"5 5 5", []string{"\x1b[E\x1bOE\x1b[57427u"}}, // keypad without Num Lock
		{"x", []string{"\x1b[8;65535;65535t", "\x1b[48;65535;65535;65535;65535t", "\x1b[4;65535;65535t",
			"\x1b[6;65535;65535t", "\x1b[?2026;2$y", "\x1b]52;c;aGVsbG8=\x07", "\x1b[>0;276;0c",
			"\x1bP>|XTerm\x1b\\", "x"}},
		{"x", []string{record + "x"}},
		{"x", []string{record[:9], record[9:] + "x"}},
		{"x", []string{record[:1], record[1:] + record + "x"}},
		{"x", []string{"\x1b\x1b" + record + "x"}},
		{"A j M 4 backspace k", []string{"\x9bAj\x9b", "M4\x7f", "\x8fk"}},
	} {
		testkit.Equal(t, strings.Join(typed(one.input...), " "), one.want, one.input)
	}
	p := NewReader(func(uv.Event) {}, rethrow)
	defer p.stopExpiry()
	_ = p.handleInput([]byte("\x1b[1\x9bM4\x7fc"))
	p.expire() // the timer's goroutine decodes an unfinished sequence
}

// A panic of the decoder on the timer's goroutine once ended the server.
func TestReaderIsAtAnEndWithAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := make(chan any, 2)
		p := NewReader(func(uv.Event) { panic("a fault in the decoder") }, func(fault any) { faults <- fault })
		_ = p.handleInput([]byte("\x1b"))
		<-time.After(escapeWait)
		synctest.Wait()
		_ = p.Run(t.Context(), strings.NewReader("x"))
		for range 2 {
			select {
			case <-faults:
			default:
				t.Fatal("the panic was not reported")
			}
		}
	})
}

// An unterminated string or paste was once kept without limit, and scanned from its start for every byte. Nine
// megabytes took half a minute.
func TestReaderEndsAFlood(t *testing.T) {
	for _, one := range []struct {
		start       string
		err         error
		least, most int // bytes read before the end
	}{
		{"\x1b]0;", errInvalidInput, 0, 3 * maxPending}, {"\x1bP", errInvalidInput, 0, 3 * maxPending},
		{"\x1b_", errInvalidInput, 0, 3 * maxPending}, {"\x1b^", errInvalidInput, 0, 3 * maxPending},
		{pasteStart, errFlood, pasteBurst, pasteBurst + 2*maxFlood}, {"", errFlood, maxFlood, 2 * maxFlood},
	} {
		synctest.Test(t, func(t *testing.T) {
			keys := 0
			p := NewReader(func(uv.Event) { keys++ }, rethrow)
			flood := &endless{start: []byte(one.start)}
			testkit.ErrorIs(t, p.Run(t.Context(), flood), one.err, one.start) // otherwise synctest reports a deadlock
			if flood.sent < one.least || flood.sent > one.most {
				t.Errorf("%q: %d bytes were read before the end", one.start, flood.sent)
			}
			testkit.Equal(t, keys > 0, one.start == "", one.start)
			if one.start == pasteStart && (cap(p.paste) > 2*readBuffer || cap(p.pending) > 4*readBuffer) {
				t.Errorf("%q: %d and %d bytes were kept", one.start, cap(p.paste), cap(p.pending))
			}
		})
	}
}

// Pastes without a key between them are a flood, too.
func TestReaderEndsManyPastes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const one = pasteStart + "x" + pasteEnd
		pastes := 0
		p := NewReader(func(uv.Event) { pastes++ }, rethrow)
		err := p.Run(t.Context(), strings.NewReader(strings.Repeat(one, 2*maxFlood/len(one))))
		testkit.ErrorIs(t, err, errFlood)
		if pastes > (inputBurst+int(inputRate)*maxFlood/readBuffer/1000)/len(pasteStart) {
			t.Errorf("%d pastes were handed on", pastes)
		}
	})
}

// Input typed ahead was once read at the pace of a person. A client that had gone seemed to be there for half an
// hour.
func TestReaderDropsWhatNoPersonTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 100 << 10
		began, keys := time.Now(), 0
		_ = NewReader(func(uv.Event) { keys++ }, rethrow).Run(t.Context(),
			bytes.NewReader(bytes.Repeat([]byte("j"), size)))
		if took := time.Since(began); took > time.Second {
			t.Errorf("%d bytes were read in %s", size, took)
		}
		if keys < inputBurst-readBuffer || keys > inputBurst+readBuffer {
			t.Errorf("%d keys of %d were taken", keys, size)
		}
	})
}

func TestReaderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	go func() { _, _ = writer.Write([]byte("j")) }()
	_ = NewReader(func(uv.Event) { cancel() }, rethrow).Run(ctx, reader)
}

// sparse returns no byte between any two bytes of input, as an io.Reader may.
type sparse struct {
	input   io.Reader
	isPause bool
}

func (s *sparse) Read(p []byte) (int, error) {
	if s.isPause = !s.isPause; s.isPause {
		return 0, nil
	}
	return s.input.Read(p[:1])
}

// After the Escape key, the reader looks at the first byte of the next input.
func TestReaderTakesAReadWithoutAByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := ""
		p := NewReader(func(event uv.Event) { got += name(event) + " " }, rethrow)
		_ = p.handleInput([]byte("\x1b"))
		<-time.After(escapeWait)
		synctest.Wait()
		testkit.OK(t, p.Run(t.Context(), &sparse{input: strings.NewReader("jk")}))
		testkit.Equal(t, got, "esc j k ")
	})
}

func FuzzPump(f *testing.F) {
	for _, seed := range []string{
		"\x1b[A", "\x1b[8;1;1t", "\x1b[200~x\x1b[201~", "\x1b]8;;\x1b\\", "\xff\xfe", "\x1b[<0;1;1M", "\x1b[27;5;9~",
		"\x1b[1\x9bM4\x7fc", "\x1b[74;0;106;1;0;65535_", "\x1b[I\x1b[O",
	} {
		f.Add([]byte(seed), uint8(1))
	}
	f.Fuzz(func(t *testing.T, input []byte, cut uint8) {
		events := 0
		p := NewReader(func(event uv.Event) {
			if events++; events > len(input) {
				t.Fatalf("%d bytes are more than so many events", len(input))
			}
			switch event.(type) {
			case uv.KeyPressEvent, uv.PasteEvent, uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent,
				uv.FocusEvent:
			default:
				t.Errorf("%T went through", event)
			}
		}, rethrow)
		defer p.stopExpiry()
		at := min(int(cut), len(input))
		for _, part := range [][]byte{input[:at], input[at:]} {
			if len(part) > 0 {
				_, _ = p.decodeInput(part)
				p.expiresAt = time.Now()
				p.expire()
			}
		}
	})
}

// endless is input with a beginning and an endless repetition.
type endless struct {
	start []byte
	sent  int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.start)
	e.start = e.start[n:]
	for i := n; i < len(p); i++ {
		p[i] = 'x'
	}
	e.sent += len(p)
	return len(p), nil
}
