package bot

import (
	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
)

func (s *session) seekVerb(w request) error {
	accepts, err := w.accepts()
	if err != nil {
		return err
	}
	if s.seek != nil {
		return match.ErrAlreadySeeking
	}
	if err := s.checkTableLimit(); err != nil {
		return err
	}
	player := s.player
	s.aside(w.Do, func() func() error {
		seek, err := s.client.Seek(s.ctx, player, accepts...)
		return func() error {
			if err != nil {
				return err
			}
			s.seek = seek
			s.out.send(seeking(accepts))
			return nil
		}
	})
	return nil
}

// seeking says for what the bot waits: the list only if there are several.
func seeking(accepts []match.Terms) botproto.Seeking {
	first := accepts[0]
	event := botproto.Seeking{
		Variant: first.Variant.String(), Clock: clockName(first.Clock), Rated: first.Pool.IsRated(),
	}
	if len(accepts) > 1 {
		for _, terms := range accepts {
			event.Variants = append(event.Variants, terms.Variant.String())
		}
	}
	return event
}

// cancelVerb always has its answer: that the bot waits no longer, or, where it comes too late, the match.
func (s *session) cancelVerb(w request) error {
	if s.seek == nil {
		s.out.send(botproto.Cancelled{})
		return nil
	}
	ask := s.seek.Leave()
	s.aside(w.Do, func() func() error {
		ask()
		return func() error { return s.handleSeek() }
	})
	return nil
}

// giveUpSeek says at once how it went, unless the match is being opened just now.
func (s *session) giveUpSeek() {
	s.seek.Leave()()
	_ = s.handleSeek()
}

// handleSeek says what has become of the place so far. The error is nil.
func (s *session) handleSeek() error {
	for s.seek != nil {
		select {
		case status, open := <-s.seek.Status():
			s.onSeekStatus(status, open)
		default:
			return nil
		}
	}
	return nil
}

// onSeekStatus sits down in the match that was found. A seek that ends without one was cancelled.
func (s *session) onSeekStatus(status lobby.SeekStatus, open bool) {
	seek := s.seek
	state := seek.Take(status, open)
	if seek.IsOver() {
		s.seek = nil
	}
	switch state {
	case client.QueueStopping:
		s.out.notice(match.ErrDraining.Error() + "; " + queueClosed)
		s.out.send(botproto.Cancelled{})
	case client.QueueMoved:
		s.out.notice("you wait for an opponent at another window now")
		s.out.send(botproto.Cancelled{})
	case client.QueueLeft:
		s.out.send(botproto.Cancelled{})
	case client.QueueFound:
		if _, err := s.sit(status.Match, seek.Player); err != nil {
			s.out.refuse(err, botproto.DoSeek)
		}
	case client.QueueWaiting, client.QueueLeaving:
		s.out.tellCutOff(status.CutOff)
	}
}
