package bot

import (
	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
)

// seeking is a place in a queue, and who has it.
type seeking struct {
	*lobby.Seek
	player match.PlayerID
	given  bool // up, by the bot
}

func (k *seeking) status() <-chan lobby.SeekStatus {
	if k == nil {
		return nil
	}
	return k.Status()
}

func (s *session) beginSeek(w request) error {
	terms, err := w.terms()
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
		seek, err := s.config.Manager.Lobby().Seek(s.ctx, player, terms)
		return func() error {
			if err != nil {
				return err
			}
			s.seek = &seeking{Seek: seek, player: player.ID}
			s.send(botproto.Seeking{Variant: terms.Variant.String()})
			return nil
		}
	})
	return nil
}

// cancel always has its answer: that the bot waits no longer, or, where it comes too late, the match.
func (s *session) cancel(w request) error {
	if s.seek == nil {
		s.send(botproto.Cancelled{})
		return nil
	}
	seek := s.seek
	seek.given = true
	s.aside(w.Do, func() func() error {
		seek.Cancel()
		return s.handleSeek
	})
	return nil
}

// giveUpSeek says at once how it went, unless the table is being laid just now.
func (s *session) giveUpSeek() {
	s.seek.given = true
	s.seek.Cancel()
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
	switch {
	case !open:
		s.seek = nil
		if !seek.given {
			s.notice("the server is stopping: " + queueClosed)
		}
		s.send(botproto.Cancelled{})
	case status.Moved:
		seek.given = true
		s.notice("you wait for an opponent at another window now")
	case status.Match != "":
		s.seek = nil
		if _, err := s.sit(status.Match, seek.player); err != nil {
			s.refuse(err, botproto.DoSeek)
		}
	default:
		s.tellCutOff(status.CutOff)
	}
}
