package bot

import (
	"context"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// queueClosed is sent to a bot that waits when the server stops: a place in the queue does not outlast the session.
const queueClosed = "you wait for an opponent no longer: seek again when you have come back"

// queue owns the bot's place in the lobby's queue. It sends to the outbox what becomes of the place, and sits down at
// the session's tables when an opponent was found. It touches no other part of the session.
type queue struct {
	ctx    context.Context
	client *client.Session
	out    *outbox
	tables *tables

	place *client.Queue // nil if the bot has none
	apart lobby.Waiter  // who waits too and is not paired with the bot, as told last
}

// seek checks the request; its job takes the place for p.
func (q *queue) seek(p match.Player, r request) (job, error) {
	accepts, err := r.accepts()
	if err != nil {
		return nil, err
	}
	if q.place != nil {
		return nil, match.ErrAlreadySeeking
	}
	seek := q.client.Seek
	if anyway, err := r.Bool("anyway"); err != nil {
		return nil, err
	} else if anyway {
		seek = q.client.SeekForgiving
	}
	if err := q.tables.checkLimit(); err != nil {
		return nil, err
	}
	return func() func() error {
		place, err := seek(q.ctx, p, accepts...)
		return func() error {
			if err != nil {
				return err
			}
			q.place, q.apart = place, lobby.Waiter{}
			q.out.send(seeking(accepts))
			q.tellApart()
			return nil
		}
	}, nil
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

// cancel always has its answer: that the bot waits no longer, or, where it comes too late, the match. Its job asks the
// lobby.
func (q *queue) cancel() job {
	if q.place == nil {
		q.out.send(botproto.Cancelled{})
		return nil
	}
	ask := q.place.Leave()
	return func() func() error {
		ask()
		return func() error {
			q.catchUp()
			return nil
		}
	}
}

// giveUp gives the place up, if there is one, and says at once how it went, unless the match is being opened just now.
func (q *queue) giveUp() {
	q.place.Leave()()
	q.catchUp()
}

// catchUp says what has become of the place so far.
func (q *queue) catchUp() {
	for q.place != nil {
		select {
		case status, open := <-q.place.Status():
			q.onStatus(status, open)
		default:
			return
		}
	}
}

// onStatus sits down in the match that was found. A seek that ends without one was cancelled.
func (q *queue) onStatus(status lobby.SeekStatus, open bool) {
	place := q.place
	state := place.Take(status, open)
	if place.IsOver() {
		q.place = nil
	}
	switch state {
	case client.QueueClosed:
		q.out.notice(match.ErrDraining.Error() + "; " + queueClosed)
		q.out.send(botproto.Cancelled{})
	case client.QueueMoved:
		q.out.notice("you wait for an opponent at another window now")
		q.out.send(botproto.Cancelled{})
	case client.QueueLeft:
		q.out.send(botproto.Cancelled{})
	case client.QueueFound:
		if _, err := q.tables.sit(place.Player, status.Match); err != nil {
			q.out.refuse(err, botproto.DoSeek)
		}
	case client.QueueWaiting, client.QueueLeaving:
		q.out.tellCutOff(status.CutOff)
		q.tellApart()
	}
}

// tellApart sends once who waits too, and why that player is not paired with the bot.
func (q *queue) tellApart() {
	if len(q.place.Apart) == 0 {
		return
	}
	other := q.place.Apart[0]
	if other.Name == q.apart.Name && other.ApartUntil.Equal(q.apart.ApartUntil) {
		return
	}
	q.apart = other
	message := other.Name + " waits too, but the two of you are not paired before " + wording.Time(other.ApartUntil) + ": "
	if other.IsLate {
		message += other.Name + ` did not move in time; to meet all the same, cancel and seek with "anyway":true`
	} else {
		message += "you did not move in time"
	}
	q.out.send(botproto.Notice{
		Message: message,
		Apart:   &botproto.Apart{Name: other.Name, Until: other.ApartUntil.UTC(), Late: other.IsLate},
	})
}
