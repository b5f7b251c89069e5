package bot

import (
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// verb is how a request is done.
type verb struct {
	// do does a request, but for its job. What it leads to has been sent when do returns.
	do         func(*session, request) (job, error)
	aboutMatch bool // its "match" names the match that it is about
}

// job does the part of a request that may take seconds, in a goroutine of its own. The session's goroutine calls finish
// afterwards, and answers its error. A nil job has nothing to do.
type job func() (finish func() error)

// verbOf is the verb of that name, if there is one.
func verbOf(name botproto.Verb) (verb, bool) {
	switch name {
	case botproto.DoComputer:
		return openingVerb((*tables).playComputer), true
	case botproto.DoSeek:
		return verb{do: func(s *session, r request) (job, error) { return s.queue.seek(s.player, r) }}, true
	case botproto.DoCancel:
		return verb{do: func(s *session, _ request) (job, error) { return s.queue.cancel(), nil }}, true
	case botproto.DoCreate:
		return openingVerb((*tables).create), true
	case botproto.DoJoin:
		return verb{do: (*session).join}, true
	case botproto.DoMove:
		return matchVerb((*tables).move), true
	case botproto.DoResign:
		return matchVerb((*tables).resign), true
	case botproto.DoRematch:
		return matchVerb((*tables).rematch), true
	case botproto.DoWatch:
		return matchVerb((*tables).watch), true
	case botproto.DoLeave:
		return matchVerb((*tables).leave), true
	case botproto.DoState:
		return matchVerb((*tables).state), true
	case botproto.DoPing:
		return verb{do: (*session).ping}, true
	default:
		return verb{}, false
	}
}

// openingVerb is a verb that opens a match of the bot's.
func openingVerb(do func(*tables, match.Player, request) error) verb {
	return verb{do: func(s *session, r request) (job, error) { return nil, do(s.tables, s.player, r) }}
}

// matchVerb is a verb about a match.
func matchVerb(do func(*tables, match.PlayerID, request) error) verb {
	return verb{
		do:         func(s *session, r request) (job, error) { return nil, do(s.tables, s.player.ID, r) },
		aboutMatch: true,
	}
}

// join checks the request; its job follows the code, which may lead to another player.
func (s *session) join(r request) (job, error) {
	code, err := r.Text("code")
	if err != nil {
		return nil, err
	}
	if err := s.tables.checkLimit(); err != nil {
		return nil, err
	}
	p := s.player
	return func() func() error {
		id, player, err := s.config.Manager.Join(s.ctx, p, match.Code(code))
		return func() error {
			if err != nil {
				return err
			}
			s.switchPlayer(player)
			_, err = s.tables.sit(s.player.ID, id)
			return err
		}
	}, nil
}

// switchPlayer takes on the identity of a guest's seat. Seats of the identity before are kept; its ticket
// is given up.
func (s *session) switchPlayer(p match.Player) {
	if p.ID == s.player.ID {
		return
	}
	s.queue.giveUp()
	s.player = p
	s.out.welcome(p)
}

func (s *session) ping(r request) (job, error) {
	n, err := r.Number("n")
	if err == nil {
		s.out.send(botproto.Pong{N: n})
	}
	return nil, err
}
