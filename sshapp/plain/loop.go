package plain

import "time"

// loop tells news and obeys commands until the session is over.
func (s *session) loop() error {
	for {
		if s.ctx.Err() == nil { // else all the others are leaving too
			s.catchUp()
		}
		line, typed := s.typing.next()
		switch {
		case s.ctx.Err() != nil:
			s.stop()
		case typed:
			s.voice.entered(line.text)
			s.obey(line)
		case s.ended:
			s.leaveAll()
		}
		if err := s.voice.flush(s.typing.partial()); err != nil {
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
	for _, at := range [2]*sitting{s.here, s.other} {
		select {
		case snapshot, open := <-at.mailbox():
			s.news(at, snapshot, open)
		default:
		}
	}
	select {
	case status, open := <-s.queue.status():
		s.queueNews(status, open)
	default:
	}
}

// wait waits for the next thing to happen and takes it in.
func (s *session) wait() {
	alarm := s.alarm()
	defer alarm.Stop()
	select {
	case <-s.ctx.Done():
	case chunk, open := <-s.chunks:
		s.typed(chunk, open)
	case snapshot, open := <-s.here.mailbox():
		s.news(s.here, snapshot, open)
	case snapshot, open := <-s.other.mailbox():
		s.news(s.other, snapshot, open)
	case status, open := <-s.queue.status():
		s.queueNews(status, open)
	case <-alarm.C:
		s.offerComputer()
		s.lookAway()
		s.warnOfLimit()
		s.judgeIdle()
	}
}

func (s *session) typed(chunk []byte, open bool) {
	s.idle.Heard()
	s.typing.feed(chunk)
	if !open {
		s.typing.finish()
		s.ended = true
		s.chunks = nil
	}
}

// alarm goes off when something is to be said though nothing happens.
func (s *session) alarm() *time.Timer {
	at := time.Now().Add(time.Hour) // if there is nothing: any time will do
	for _, next := range [4]time.Time{s.idle.Next(), s.queue.offerAt(), s.lookAt, s.here.warnAt(s.manager.Now())} {
		if !next.IsZero() && next.Before(at) {
			at = next
		}
	}
	return time.NewTimer(time.Until(at))
}
