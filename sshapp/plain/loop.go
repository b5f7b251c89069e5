package plain

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"notakto/sshapp/lineedit"
)

// loop prints changes and runs commands until the session is over.
func (s *session) loop() error {
	for {
		if s.ctx.Err() == nil { // else all the others are leaving too
			s.catchUp()
		}
		line, typed := s.typing.lines.Next()
		switch {
		case s.ctx.Err() != nil:
			s.stopSession()
		case typed:
			s.out.entered(line.Text)
			s.execute(line)
		case s.typing.ended:
			s.leaveAll()
		}
		if err := s.out.flush(s.typing.lines.Partial()); err != nil {
			return err
		}
		if s.done {
			return s.end
		}
		if !typed {
			s.wait()
		}
	}
}

// catchUp prints what has come from the tables and the queue, so that a command means what the player has read.
func (s *session) catchUp() {
	for _, at := range [2]table{s.tables.current, s.tables.background} {
		select {
		case snapshot, open := <-at.Snapshots():
			s.onSnapshot(at, snapshot, open)
		default:
		}
	}
	select {
	case status, open := <-s.queue.status():
		s.onSeekStatus(status, open)
	default:
	}
}

// wait waits for the next thing to happen and takes it in.
func (s *session) wait() {
	alarm := s.timer()
	defer alarm.Stop()
	select {
	case <-s.ctx.Done():
	case text := <-s.cfg.Notices:
		s.printLine(text)
	case chunk, open := <-s.typing.chunks:
		s.typed(chunk, open)
	case snapshot, open := <-s.tables.current.Snapshots():
		s.onSnapshot(s.tables.current, snapshot, open)
	case snapshot, open := <-s.tables.background.Snapshots():
		s.onSnapshot(s.tables.background, snapshot, open)
	case status, open := <-s.queue.status():
		s.onSeekStatus(status, open)
	case <-alarm.C:
		s.offerComputer()
		s.pollBackground()
		s.warnOfLimit()
		s.checkIdle()
	}
}

func (s *session) typed(chunk []byte, open bool) {
	s.idle.Activity()
	s.typing.lines.Feed(chunk)
	if !open {
		s.typing.lines.Finish()
		s.typing.ended = true
		s.typing.chunks = nil
	}
}

// timer goes off when something is to be said though nothing happens.
func (s *session) timer() *time.Timer {
	at := time.Now().Add(time.Hour) // if there is nothing: any time will do
	for _, next := range [4]time.Time{s.idle.Next(), s.queue.offerAt(), s.away.lookAt, s.warnAt(s.cfg.Manager.Now())} {
		if !next.IsZero() && next.Before(at) {
			at = next
		}
	}
	return time.NewTimer(time.Until(at))
}

const readBuffer = 256

// read hands over what is typed, piece by piece: the next is read when the one before was taken.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	defer close(chunks)
	buffer := make([]byte, readBuffer)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			select {
			case chunks <- slices.Clone(buffer[:n]):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// execute does what a line says.
func (s *session) execute(line lineedit.Line) {
	words := strings.Fields(strings.ToLower(clean(line.Text)))
	s.typing.line = line.Text
	switch {
	case line.End:
		s.leaveAll()
	case line.Long:
		s.printLine("That line is too long. Type help to hear the commands.")
	case s.answer(strings.Join(words, " ")):
	case len(words) == 0:
		s.printLine(s.status())
	default:
		s.runCommand(words)
	}
}
