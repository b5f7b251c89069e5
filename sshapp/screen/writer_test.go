package screen

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/render"
	"notakto/sshapp/terminal"
)

func testScreenWriter(client writerFunc, stall time.Duration, hangUp func()) *screenWriter {
	return &screenWriter{
		terminal: &terminal.StallWriter{Client: client, Stall: stall, OnStall: hangUp},
		caps:     render.FromTerm("xterm"), buffers: new(Buffers), onPanic: func(any) {},
		done: make(chan struct{}),
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

var testStyles = render.NewStyles()

func frameOf(text string) windowFrame {
	grid := new(render.Grid)
	grid.Reset(20, 1, testStyles, false)
	grid.Text(0, 0, 0, text)
	return windowFrame{Frame: render.Frame{Grid: grid}, window: size{80, 24}}
}

// A screen was once made for each key, and all but the last were discarded.
func TestNoPictureIsMadeWhileOneIsOnItsWay(t *testing.T) {
	var sent bytes.Buffer
	var freed atomic.Int32
	entered, resume := make(chan struct{}, 100), make(chan struct{})
	p := testScreenWriter(func(b []byte) (int, error) {
		entered <- struct{}{}
		<-resume
		return sent.Write(b)
	}, time.Hour, func() {})
	again := make(chan struct{})
	p.onFree = func() {
		freed.Add(1)
		close(again)
	}
	if !p.claim() {
		t.Fatal("the writer has no time at its beginning")
	}
	p.show(frameOf("first"))
	<-entered // the first frame is being written
	for range 3 {
		if p.claim() {
			t.Error("a picture would be made that waits for another")
		}
	}
	close(resume)
	<-again
	if !p.claim() {
		t.Fatal("the writer has no time, and said it had")
	}
	p.show(frameOf("newest"))
	p.close("farewell")
	testkit.Equal(t, freed.Load(), 1)
	for text, want := range map[string]bool{"first": true, "ewest": true, "farewell": true} {
		testkit.Equal(t, strings.Contains(sent.String(), text), want, text, sent.String())
	}
}

// A panic in a goroutine of our own once ended the server with every player on it. A client with a full window once
// kept the writer waiting for ever, in spite of the connection's deadlines.
func TestAFaultOfTheWriterEndsTheSessionAlone(t *testing.T) {
	for stall, stalls := range map[time.Duration]bool{time.Hour: false, 20 * time.Millisecond: true} {
		hungUp := make(chan struct{})
		p := testScreenWriter(func([]byte) (int, error) {
			if !stalls {
				panic("a fault in the differ")
			}
			<-hungUp // as after closing the connection
			return 0, io.ErrClosedPipe
		}, stall, func() { close(hungUp) })
		p.show(frameOf("anything"))
		p.close("farewell")
		p.close("farewell") // a second time, which must return too
		<-hungUp
		testkit.Equal(t, p.drawn.isGone, true, "the writer goes on writing")
	}
}

// A command in the text left in the shell was once broken in two lines, and could not be copied.
func TestNoCommandIsWrappedInTheShell(t *testing.T) {
	var sent bytes.Buffer
	p := testScreenWriter(sent.Write, time.Hour, func() {})
	shown := frameOf("anything")
	shown.window = size{20, 10}
	p.show(shown)
	p.close("A sentence of more than a line.  Play again:\nssh -t -p 2222 play.example watch vwvti5fbit\n")
	const want = "A sentence of more\r\nthan a line.  Play\r\nagain:\r\nssh -t -p 2222 play.example watch " +
		"vwvti5fbit\r\n"
	if !strings.HasSuffix(sent.String(), want) {
		t.Errorf("%q, want %q at its end", sent.String(), want)
	}
}
