package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// rethrow is for pumps that are to have no fault.
func rethrow(fault any) { panic(fault) }

// typed is the events that a key reader makes of some input, by name.
func typed(input ...string) []string {
	var names []string
	p := NewReader(func(event uv.Event) { names = append(names, name(event)) }, rethrow)
	for _, part := range input {
		p.feed([]byte(part))
	}
	return names
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
		"\x1b[E\x1bOE\x1b[57427u": "5 5 5", // the keypad without Num Lock
		"\x1b[1;2E":               "shift+begin",
	} {
		if got := strings.Join(typed(input), " "); got != want {
			t.Errorf("%q: got %q, want %q", input, got, want)
		}
	}
}

func TestReaderReadsKeysThatComeInPieces(t *testing.T) {
	if got := strings.Join(typed("\x1b", "[", "Aj\x1b[", "B"), " "); got != "up j down" {
		t.Errorf("got %q", got)
	}
}

// A size that is typed as input (CSI 8 t, CSI 48 t) reached the library's renderer as a size of the window: 65535
// columns of 65535 rows were allocated, and one line of input ended the server for everyone.
func TestReaderDropsSizesTypedAsInput(t *testing.T) {
	for _, report := range []string{
		"\x1b[8;65535;65535t", "\x1b[48;65535;65535;65535;65535t", "\x1b[4;65535;65535t", "\x1b[6;65535;65535t",
		"\x1b[?2026;2$y", "\x1b]52;c;aGVsbG8=\x07", "\x1b[>0;276;0c", "\x1bP>|XTerm\x1b\\",
	} {
		if got := strings.Join(typed(report+"x"), " "); got != "x" {
			t.Errorf("%q: got %q, want only the key after it", report, got)
		}
	}
}

// Twenty-four bytes were 65,535 keys: a record of Windows' console says how often its key counts.
func TestReaderDropsKeyRecords(t *testing.T) {
	const record = "\x1b[74;0;106;1;0;65535_"
	for _, input := range [][]string{
		{record + "x"}, {record[:9], record[9:] + "x"}, {record[:1], record[1:] + record + "x"}, {"\x1b\x1b" + record + "x"},
	} {
		if got := strings.Join(typed(input...), " "); got != "x" {
			t.Errorf("%q: got %.80q, want only the key after it", input, got)
		}
	}
}

// Eight bytes ended the server for everyone: what is left of a sequence that nothing more came for was decoded on a
// timer's goroutine, and the decoder reads beyond the end of a mouse report after the eight-bit control that begins it.
func TestReaderDropsEightBitControls(t *testing.T) {
	if got := strings.Join(typed("\x9bAj\x9b", "M4\x7f", "\x8fk"), " "); got != "A j M 4 backspace k" {
		t.Errorf("got %q", got)
	}
	p := NewReader(func(uv.Event) {}, rethrow)
	defer p.stopExpiry()
	p.feed([]byte("\x1b[1\x9bM4\x7fc"))
	p.expire()
}

// A panic of the decoder on the timer's goroutine ended the server.
func TestReaderIsAtAnEndWithAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := make(chan any, 2)
		p := NewReader(func(uv.Event) { panic("a fault in the decoder") }, func(fault any) { faults <- fault })
		p.feed([]byte("\x1b"))
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
		p.feed([]byte("\x1b"))
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

// An unterminated string or paste was kept without bound and scanned again from its start with every byte: 9 MB cost
// half a minute.
func TestReaderEndsWhereInputMakesNoSense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, start := range []string{"\x1b]0;", "\x1bP", "\x1b_", "\x1b^"} {
			p := NewReader(func(uv.Event) {}, rethrow)
			flood := &endless{start: []byte(start)}
			// or the bubble says that everything is blocked
			if err := p.Run(t.Context(), flood); !errors.Is(err, errInvalidInput) {
				t.Errorf("%q ends with %v", start, err)
			}
			if flood.sent > 3*maxPending {
				t.Errorf("%q: %d bytes were read before the end", start, flood.sent)
			}
		}
	})
}

// A paste without an end was kept without bound, and no key got through any more.
func TestReaderEndsAnEndlessPaste(t *testing.T) {
	var pastes []string
	p := NewReader(func(event uv.Event) { pastes = append(pastes, name(event)) }, rethrow)
	p.feed([]byte("\x1b[200~" + strings.Repeat("x", 100) + "\x1b[201~q"))
	if got := strings.Join(pastes, " "); got != "paste:"+strings.Repeat("x", maxPaste)+" q" {
		t.Errorf("got %q", got)
	}
	p.feed([]byte("\x1b[200~"))
	for i := range 1000 {
		if !p.feed(bytes.Repeat([]byte("x"), 100)) {
			if len(p.paste) > maxPaste || len(p.pending) > maxPending || i*100 > 2*maxPending {
				t.Errorf("kept %d characters and %d bytes of %d", len(p.paste), len(p.pending), i*100)
			}
			return
		}
	}
	t.Error("the paste was taken to its last byte")
}

// What a client had typed ahead was read at the pace of a person, so that one who had gone seemed to be there for half
// an hour.
func TestReaderDropsWhatNoPersonTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 100 << 10
		began, keys := time.Now(), 0
		_ = NewReader(func(uv.Event) { keys++ }, rethrow).Run(t.Context(), bytes.NewReader(bytes.Repeat([]byte("j"), size)))
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
		// or the test never ends
		if err := NewReader(func(uv.Event) {}, rethrow).Run(t.Context(), flood); !errors.Is(err, errFlood) {
			t.Errorf("the flood ends with %v", err)
		}
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

func FuzzPump(f *testing.F) {
	for _, seed := range []string{
		"\x1b[A", "\x1b[8;1;1t", "\x1b[200~x\x1b[201~", "\x1b]8;;\x1b\\", "\xff\xfe", "\x1b[<0;1;1M", "\x1b[27;5;9~",
		"\x1b[1\x9bM4\x7fc", "\x1b[74;0;106;1;0;65535_",
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
			case uv.KeyPressEvent, uv.PasteEvent, uv.MouseClickEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
			default:
				t.Errorf("%T went through", event)
			}
		}, rethrow)
		defer p.stopExpiry()
		at := min(int(cut), len(input))
		p.feed(input[:at])
		p.feed(input[at:])
		p.expire()
	})
}

// What the worst of input costs, by the byte.
func BenchmarkPump(b *testing.B) {
	for _, piece := range []string{
		"h", "\x1b[A", "\x1b", "\x1b[1;", "\x1b]0;", "\x1b[200~", "\x1b[74;0;106;1;0;65535_", "\xff", "\x1b[<0;5;6M",
	} {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			input := []byte(strings.Repeat(piece, 1024/len(piece)))
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				p := NewReader(func(uv.Event) {}, rethrow)
				p.feed(input)
				p.expire()
				p.stopExpiry()
			}
		})
	}
}

// endless is input that begins somehow and goes on for ever.
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
