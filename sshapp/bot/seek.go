package bot

import (
	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
)

func seekVerb(s *session, w request) error {
	accepts, err := w.accepts()
	if err != nil {
		return err
	}
	if s.seek != nil {
		return match.ErrAlreadySeeking
	}
	if err := checkTableLimit(s); err != nil {
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
			s.send(seeking(accepts))
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
func cancelVerb(s *session, w request) error {
	if s.seek == nil {
		s.send(botproto.Cancelled{})
		return nil
	}
	ask := s.seek.Leave()
	s.aside(w.Do, func() func() error {
		ask()
		return func() error { return handleSeek(s) }
	})
	return nil
}

// giveUpSeek says at once how it went, unless the match is being opened just now.
func giveUpSeek(s *session) {
	s.seek.Leave()()
	_ = handleSeek(s)
}

// handleSeek says what has become of the place so far. The error is nil.
func handleSeek(s *session) error {
	for s.seek != nil {
		select {
		case status, open := <-s.seek.Status():
			onSeekStatus(s, status, open)
		default:
			return nil
		}
	}
	return nil
}

// onSeekStatus sits down in the match that was found. A seek that ends without one was cancelled.
func onSeekStatus(s *session, status lobby.SeekStatus, open bool) {
	seek := s.seek
	state := seek.Take(status, open)
	if seek.IsOver() {
		s.seek = nil
	}
	switch state {
	case client.QueueStopping:
		s.notice(match.ErrDraining.Error() + "; " + queueClosed)
		s.send(botproto.Cancelled{})
	case client.QueueMoved:
		s.notice("you wait for an opponent at another window now")
		s.send(botproto.Cancelled{})
	case client.QueueLeft:
		s.send(botproto.Cancelled{})
	case client.QueueFound:
		if _, err := sit(s, status.Match, seek.Player); err != nil {
			s.refuse(err, botproto.DoSeek)
		}
	case client.QueueWaiting, client.QueueLeaving:
		s.tellCutOff(status.CutOff)
	}
}
