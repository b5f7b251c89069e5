package plain

import "time"

// loop tells news and obeys commands until the session is over.
func (s *session) loop() error {
	for {
		if s.ctx.Err() == nil { // else all the others are leaving too
			s.catchUp()
		}
		line, typed := s.typing.lines.Next()
		switch {
		case s.ctx.Err() != nil:
			s.stop()
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

// catchUp tells what has come from the tables and the queue, so that a command means what the player has heard.
func (s *session) catchUp() {
	for _, at := range [2]table{s.table, s.backgroundTable} {
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
	case chunk, open := <-s.typing.chunks:
		s.typed(chunk, open)
	case snapshot, open := <-s.table.Snapshots():
		s.onSnapshot(s.table, snapshot, open)
	case snapshot, open := <-s.backgroundTable.Snapshots():
		s.onSnapshot(s.backgroundTable, snapshot, open)
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
	for _, next := range [4]time.Time{s.idle.Next(), s.queue.offerAt(), s.lookAt, s.warnAt(s.manager.Now())} {
		if !next.IsZero() && next.Before(at) {
			at = next
		}
	}
	return time.NewTimer(time.Until(at))
}
