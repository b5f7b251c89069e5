package bot

import (
	"context"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// queueClosed is sent to a waiting bot when the server stops. The session's place in the queue ends with the
// session.
const queueClosed = "you wait for an opponent no longer: seek again when you have come back"

// queue holds the bot's place in the lobby's queue.
type queue struct {
	ctx    context.Context
	client *client.Session
	out    *outbox
	tables *tables

	place *client.Queue // nil if the bot has none
	apart lobby.Waiter  // the waiting player of the last notice by tellApart
}

// seek checks a request for an opponent. Its job takes the place for p.
func (q *queue) seek(p match.Player, r request) (job, error) {
	accepts, err := r.accepts()
	if err != nil {
		return nil, err
	}
	if q.place != nil {
		return nil, match.ErrAlreadySeeking
	}
	forgives, err := r.Bool("anyway")
	if err != nil {
		return nil, err
	}
	if err := q.tables.checkLimit(); err != nil {
		return nil, err
	}
	seek := q.client.Seek
	if forgives {
		seek = q.client.SeekForgiving
	}
	return func() func() error {
		place, err := seek(q.ctx, p, accepts...)
		return func() error {
			if err != nil {
				return err
			}
			q.place, q.apart = place, lobby.Waiter{}
			first := accepts[0]
			event := botproto.Seeking{
				Variant: first.Variant.String(), Clock: clockName(first.Clock), Rated: first.Pool.IsRated(),
			}
			if len(accepts) > 1 {
				for _, terms := range accepts {
					event.Variants = append(event.Variants, terms.Variant.String())
				}
			}
			q.out.send(event)
			q.tellApart()
			q.catchUp() // a change may have come before place was set
			return nil
		}
	}, nil
}

// cancel gives the place up. The bot always receives an answer: Cancelled, or the match if an opponent was found
// first. The job of cancel tells the lobby.
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

// catchUp sends the changes of the place so far, and takes the seat at a match that was found. A seek that ends
// without a match sends Cancelled.
func (q *queue) catchUp() {
	for q.place.Poll() {
		place := q.place
		if place.IsOver() {
			q.place = nil
		}
		switch place.State {
		case client.QueueClosed:
			q.out.notice(match.ErrDraining.Error() + "; " + queueClosed)
			q.out.send(botproto.Cancelled{})
		case client.QueueMoved:
			q.out.notice("you wait for an opponent at another window now")
			q.out.send(botproto.Cancelled{})
		case client.QueueLeft:
			q.out.send(botproto.Cancelled{})
		case client.QueueFound:
			if _, err := q.tables.sit(place.Player, place.Match); err != nil {
				q.out.refuse(err, botproto.DoSeek)
			}
		case client.QueueWaiting, client.QueueLeaving:
			q.out.tellCutOff(place.CutOff)
			q.tellApart()
		}
	}
}

// tellApart sends a notice about a waiting player who is not paired with the bot, and the reason. It repeats no
// notice.
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
