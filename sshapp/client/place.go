package client

import (
	"context"
	"time"

	"notakto/match"
	"notakto/match/lobby"
)

const (
	// PlaceTimeout is the longest inactivity of a player in the queue. The front end then gives up the place.
	PlaceTimeout = 3 * time.Minute
	// PlaceWarning is the time between the warning of the player and the end of PlaceTimeout.
	PlaceWarning = 30 * time.Second
	// PlaceAnswerTimeout is the time to answer [Place.Ask], after a match that the player played while in the queue.
	PlaceAnswerTimeout = time.Minute
)

// Place is a player's place in the lobby's queue, with the newest status that the front end took. A nil Place is no
// place. Methods except Take accept a nil Place.
type Place struct {
	lobby.SeekStatus
	Player match.PlayerID
	State  PlaceState

	session     *Session
	seek        *lobby.Seek
	attention   attention
	attentionAt time.Time // of the last activity, or of the call of Ask, by this process's clock
}

type attention uint8

const (
	attentive attention = iota // the player did something lately
	warned
	asked // the player was asked whether to keep the place
)

// PlaceState is the state of a place in a queue. From PlaceFound on, the player no longer has the place.
type PlaceState uint8

// The states of a place in the queue.
const (
	PlaceWaiting PlaceState = iota
	PlaceLeaving            // the player gives the place up, but may still get an opponent
	PlaceFound              // an opponent is found, and the field Match names the match
	PlaceMoved              // the player waits in another session now
	PlaceLeft
	PlaceClosed // by a server that drains or stops, or by Session.Close
)

// Due is a task of the front end for the place of an inactive player.
type Due uint8

// What a place in the queue needs next.
const (
	NothingDue Due = iota
	WarningDue     // warn the player
	LeavingDue     // give the place up
)

// Seek takes a place in the queue for p. accepts lists the terms that p accepts, the preferred ones first. Errors are
// those of [lobby.Lobby.Seek], and [ErrEnded].
func (s *Session) Seek(ctx context.Context, p match.Player, accepts ...match.Terms) (*Place, error) {
	return s.SeekWith(ctx, p, lobby.Options{}, accepts...)
}

// SeekWith is like [Session.Seek], by [lobby.Lobby.SeekWith]. The player of a bot is a program.
func (s *Session) SeekWith(ctx context.Context, p match.Player, o lobby.Options, accepts ...match.Terms) (
	*Place, error,
) {
	o.IsProgram = o.IsProgram || s.IsBot
	return s.newPlace(s.manager.Lobby().SeekWith(ctx, p, o, accepts...))
}

func (s *Session) newPlace(seek *lobby.Seek, err error) (*Place, error) {
	if err != nil {
		return nil, err
	}
	p := &Place{SeekStatus: seek.Latest(), Player: seek.Player(), session: s, seek: seek, attentionAt: time.Now()}
	if err := s.track(p); err != nil {
		return nil, err
	}
	seek.Notify(s.ring)
	return p, nil
}

func (p *Place) release() { p.seek.Cancel() }

// Status returns the channel of the seek's changes, nil if p is nil or over. The receiver calls [Place.Take] with
// each value.
func (p *Place) Status() <-chan lobby.SeekStatus {
	if p == nil || p.IsOver() {
		return nil
	}
	return p.seek.Status()
}

// Poll takes the newest status. The result is false if there is no new one, or p is nil or over.
func (p *Place) Poll() (changed bool) {
	select {
	case status, open := <-p.Status():
		p.Take(status, open)
		return true
	default:
		return false
	}
}

// Take applies a value received from [Place.Status] and returns the new state.
func (p *Place) Take(status lobby.SeekStatus, open bool) PlaceState {
	if open {
		p.SeekStatus = status
	}
	switch {
	case !open && p.State == PlaceLeaving:
		p.State = PlaceLeft
	case !open:
		p.State = PlaceClosed
	case status.Moved:
		p.State = PlaceMoved
	case status.Match != "":
		p.State = PlaceFound
	}
	if p.IsOver() {
		p.session.untrack(p)
	}
	return p.State
}

// Leave gives the place up. The caller must call cancel, in any goroutine. cancel waits briefly for the lobby, and
// Status then delivers the outcome.
func (p *Place) Leave() (cancel func()) {
	if !p.IsWaiting() {
		return func() {}
	}
	p.State = PlaceLeaving
	return p.seek.Cancel
}

// RecordActivity records that the player did something. After [Place.Ask], RecordActivity has no effect until Keep.
func (p *Place) RecordActivity() {
	if p.IsWaiting() && p.attention != asked {
		p.Keep()
	}
}

// Ask records that the player was asked about keeping the place. The answers are Keep and Leave.
func (p *Place) Ask() {
	if p.IsWaiting() {
		p.attention, p.attentionAt = asked, time.Now()
	}
}

// Keep records that the player still wants the place.
func (p *Place) Keep() {
	if p.IsWaiting() {
		p.attention, p.attentionAt = attentive, time.Now()
	}
}

// IsAsked reports whether the player was asked and has not answered yet.
func (p *Place) IsAsked() bool { return p.IsWaiting() && p.attention == asked }

// IsWarned reports whether the player was warned and has stayed inactive since.
func (p *Place) IsWarned() bool { return p.IsWaiting() && p.attention == warned }

// CheckAt returns the time when [Place.Check] will have a task unless the player does something, or zero for never.
func (p *Place) CheckAt() time.Time {
	switch {
	case !p.IsWaiting():
		return time.Time{}
	case p.attention == asked:
		return p.attentionAt.Add(PlaceAnswerTimeout)
	case p.attention == warned:
		return p.attentionAt.Add(PlaceTimeout)
	default:
		return p.attentionAt.Add(PlaceTimeout - PlaceWarning)
	}
}

// Check returns the task that is due. WarningDue comes once for each time of inactivity. LeavingDue comes with every
// call until the player leaves or keeps the place.
func (p *Place) Check() Due {
	switch at := p.CheckAt(); {
	case at.IsZero() || time.Now().Before(at):
		return NothingDue
	case p.attention == attentive:
		p.attention = warned
		return WarningDue
	default:
		return LeavingDue
	}
}

// IsWaiting reports whether the player has the place and has not left.
func (p *Place) IsWaiting() bool { return p != nil && p.State == PlaceWaiting }

// IsLeaving reports whether the player has given up the place and the lobby has not yet confirmed it.
func (p *Place) IsLeaving() bool { return p != nil && p.State == PlaceLeaving }

// IsOver reports whether the state is final or p is nil.
func (p *Place) IsOver() bool { return p == nil || p.State >= PlaceFound }
