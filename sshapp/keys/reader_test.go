package keys

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
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

func TestReaderReadsKeys(t *testing.T) {
	for input, want := range map[string]string{
		"a":                       "a",
		"B5":                      "B 5",
		"\x1b[A":                  "up",
		"\x1bOB":                  "down",
		"\t\r ":                   "tab enter space",
		"\x1b[200~K7QX\x1b[201~":  "paste:K7QX",
		"\x1b[<0;5;6M":            "click",
		"é":                       "é",
		"\x1b[E\x1bOE\x1b[57427u": "5 5 5", // keypad without Num Lock
		"\x1b[1;2E":               "shift+begin",
	} {
		testkit.Equal(t, strings.Join(typed(input), " "), want, input)
	}
}

func TestReaderReadsKeysThatComeInPieces(t *testing.T) {
	testkit.Equal(t, strings.Join(typed("\x1b", "[", "Aj\x1b[", "B"), " "), "up j down")
}

// A size typed as input (CSI 8 t, CSI 48 t) once reached the library's renderer as the size of the window. One line
// of input made the server allocate 65,535 columns of 65,535 rows, and crash.
func TestReaderDropsSizesTypedAsInput(t *testing.T) {
	for _, report := range []string{
		"\x1b[8;65535;65535t", "\x1b[48;65535;65535;65535;65535t", "\x1b[4;65535;65535t", "\x1b[6;65535;65535t",
		"\x1b[?2026;2$y", "\x1b]52;c;aGVsbG8=\x07", "\x1b[>0;276;0c", "\x1bP>|XTerm\x1b\\",
	} {
		testkit.Equal(t, strings.Join(typed(report+"x"), " "), "x", report)
	}
}

// A record of the Windows console has a repeat count, and made 65,535 keys of 24 bytes.
func TestReaderDropsKeyRecords(t *testing.T) {
	const record = "\x1b[74;0;106;1;0;65535_"
	for _, input := range [][]string{
		{record + "x"}, {record[:9], record[9:] + "x"}, {record[:1], record[1:] + record + "x"},
		{"\x1b\x1b" + record + "x"},
	} {
		testkit.Equal(t, strings.Join(typed(input...), " "), "x", input)
	}
}

// Eight bytes once crashed the server. After an eight-bit control, the decoder reads beyond the end of a mouse
// report. The timer's goroutine decoded an unfinished one.
func TestReaderDropsEightBitControls(t *testing.T) {
	testkit.Equal(t, strings.Join(typed("\x9bAj\x9b", "M4\x7f", "\x8fk"), " "), "A j M 4 backspace k")
	p := NewReader(func(uv.Event) {}, rethrow)
	defer p.stopExpiry()
	_ = p.handleInput([]byte("\x1b[1\x9bM4\x7fc"))
	p.expire()
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

func TestReaderTakesALoneEscapeForTheKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := make(chan uv.Event, 8)
		p := NewReader(func(event uv.Event) { events <- event }, rethrow)
		_ = p.handleInput([]byte("\x1b"))
		<-time.After(escapeWait - time.Nanosecond)
		synctest.Wait()
		if len(events) > 0 {
			t.Fatal("an escape byte was taken for the key before the wait was over")
		}
		<-time.After(time.Nanosecond)
		synctest.Wait()
		if len(events) != 1 || name(<-events) != "esc" {
			t.Fatal("a lone escape byte is not the Escape key")
		}
	})
}

// An unterminated string or paste was once kept without limit, and scanned from its start for every byte. Nine
// megabytes took half a minute.
func TestReaderEndsWhereInputMakesNoSense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, start := range []string{"\x1b]0;", "\x1bP", "\x1b_", "\x1b^"} {
			p := NewReader(func(uv.Event) {}, rethrow)
			flood := &endless{start: []byte(start)}
			// otherwise synctest reports a deadlock
			testkit.ErrorIs(t, p.Run(t.Context(), flood), errInvalidInput, start)
			if flood.sent > 3*maxPending {
				t.Errorf("%q: %d bytes were read before the end", start, flood.sent)
			}
		}
	})
}

// A paste without an end was once kept without limit, and no later key got through.
func TestReaderEndsAnEndlessPaste(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewReader(func(uv.Event) { t.Error("a key came of it") }, rethrow)
		flood := &endless{start: []byte(pasteStart)}
		// otherwise synctest reports a deadlock
		testkit.ErrorIs(t, p.Run(t.Context(), flood), errFlood)
		if flood.sent < pasteBurst || flood.sent > pasteBurst+2*maxFlood {
			t.Errorf("%d bytes were read before the end", flood.sent)
		}
		if cap(p.paste) > 2*readBuffer || cap(p.pending) > 4*readBuffer {
			t.Errorf("%d and %d bytes were kept", cap(p.paste), cap(p.pending))
		}
	})
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

func TestReaderEndsAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flood := new(endless)
		// otherwise the test never ends
		testkit.ErrorIs(t, NewReader(func(uv.Event) {}, rethrow).Run(t.Context(), flood), errFlood)
		if flood.sent < maxFlood || flood.sent > 2*maxFlood {
			t.Errorf("the flood ended after %d bytes", flood.sent)
		}
	})
}

func TestReaderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	done := make(chan struct{})
	p := NewReader(func(uv.Event) { cancel() }, rethrow)
	go func() {
		defer close(done)
		_ = p.Run(ctx, reader)
	}()
	if _, err := writer.Write([]byte("j")); err != nil {
		t.Fatal(err)
	}
	<-done
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
		var got []string
		p := NewReader(func(event uv.Event) { got = append(got, name(event)) }, rethrow)
		_ = p.handleInput([]byte("\x1b"))
		<-time.After(escapeWait)
		synctest.Wait()
		testkit.OK(t, p.Run(t.Context(), &sparse{input: strings.NewReader("jk")}))
		if want := []string{"esc", "j", "k"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
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
