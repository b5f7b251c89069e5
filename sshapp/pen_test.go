package sshapp

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"notakto/sshapp/frame"
)

func testPen(t *testing.T, terminal writerFunc, stall time.Duration, hangUp func()) *pen {
	return (&pen{
		terminal: &patient{client: terminal, stall: stall, hangUp: hangUp},
		caps:     frame.FromTerm("xterm"), crew: newCrew(t.Context().Done()), fault: func(any) {},
	}).ready()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func pictureOf(text string) picture {
	content := []byte(text)
	return picture{Frame: frame.Frame{Width: 20, Height: 1}, content: &content, window: size{80, 24}}
}

func TestPenDrawsTheNewestPicture(t *testing.T) {
	var sent bytes.Buffer
	entered, resume := make(chan struct{}, 100), make(chan struct{})
	p := testPen(t, func(b []byte) (int, error) {
		entered <- struct{}{}
		<-resume
		return sent.Write(b)
	}, time.Hour, func() {})
	p.show(pictureOf("first"))
	<-entered // the first is under way; nothing waits for it
	for _, text := range []string{"second", "third", "newest"} {
		p.show(pictureOf(text))
	}
	close(resume)
	p.close("farewell")
	for text, want := range map[string]bool{"first": true, "second": false, "third": false, "ewest": true, "farewell": true} {
		if strings.Contains(sent.String(), text) != want {
			t.Errorf("%q was sent: %v, in %q", text, !want, sent.String())
		}
	}
}

// A panic in a goroutine of our own ended the server with every player on it.
func TestAPanicWhileDrawingEndsTheSessionAlone(t *testing.T) {
	var hungUp atomic.Bool
	p := testPen(t, func([]byte) (int, error) { panic("a fault in the differ") }, time.Hour, func() { hungUp.Store(true) })
	p.show(pictureOf("anything"))
	p.close("farewell") // returns
	if !hungUp.Load() {
		t.Error("the client was not hung up on")
	}
}

// A client whose window is full kept the writer waiting for ever, whatever the connection's deadlines said.
func TestAWriteThatStallsIsHungUpOn(t *testing.T) {
	hungUp := make(chan struct{})
	p := testPen(t, func([]byte) (int, error) {
		<-hungUp // as closing the connection does
		return 0, io.ErrClosedPipe
	}, 20*time.Millisecond, func() { close(hungUp) })
	p.show(pictureOf("anything"))
	p.close("farewell") // returns
	if !p.gone {
		t.Error("the pen goes on writing")
	}
}
