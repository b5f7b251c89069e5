package bot

import (
	"context"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// queueClosed tells a waiting bot that its place in the queue has ended, because the session ends or the server
// drains.
const queueClosed = "you no longer wait for an opponent: seek again when you are back"

// queue holds the bot's place in the lobby's queue.
type queue struct {
	ctx    context.Context
	client *client.Session
	out    *outbox
	tables *tables

	place     *client.Place // nil without a place
	lastApart lobby.Waiter  // the waiter that tellApart named last
}

// seek checks a request for an opponent and returns a job that takes the place.
func (q *queue) seek(p match.Player, r request) (job, error) {
	accepts, err := r.accepts()
	if err != nil {
		return nil, err
	}
	if q.place != nil {
		return nil, match.ErrAlreadySeeking
	}
	anyway, err := r.Bool("anyway")
	if err != nil {
		return nil, err
	}
	if err := q.tables.checkLimit(); err != nil {
		return nil, err
	}
	meets, err := r.meets()
	if err != nil {
		return nil, err
	}
	return func() func() error {
		place, err := q.client.SeekWith(q.ctx, p, lobby.Options{Forgives: anyway, Meets: meets}, accepts...)
		return func() error {
			if err != nil {
				return err
			}
			q.place, q.lastApart = place, lobby.Waiter{}
			first := accepts[0]
			event := botproto.Seeking{
				Variant: first.Variant.String(), Clock: clockName(first.Clock), Rated: first.Pool.IsRated(),
				Meets: string(meets),
			}
			if len(accepts) > 1 {
				for _, terms := range accepts {
					event.Variants = append(event.Variants, terms.Variant.String())
				}
			}
			q.out.send(event)
			q.tellApart()
			// A change may have come before q.place was set.
			q.catchUp()
			return nil
		}
	}, nil
}

// cancel gives the place up. The bot receives Cancelled, or the match if the lobby found an opponent first. The
// returned job tells the lobby.
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

// catchUp sends the changes of the place, and takes the seat once an opponent is found. A place that ends without a
// match sends Cancelled.
func (q *queue) catchUp() {
	for q.place.Poll() {
		place := q.place
		if place.IsOver() {
			q.place = nil
		}
		switch place.State {
		case client.PlaceClosed:
			q.out.notice(match.ErrDraining.Error() + "; " + queueClosed)
			q.out.send(botproto.Cancelled{})
		case client.PlaceMoved:
			q.out.notice("you wait for an opponent in another window now")
			q.out.send(botproto.Cancelled{})
		case client.PlaceLeft:
			q.out.send(botproto.Cancelled{})
		case client.PlaceFound:
			if _, err := q.tables.sit(place.Player, place.Match); err != nil {
				q.out.refuse(err, botproto.DoSeek)
			}
		case client.PlaceWaiting, client.PlaceLeaving:
			q.out.tellCutOff(place.CutOff)
			q.tellApart()
		}
	}
}

// tellApart tells the bot about a waiting player, once, if the two are kept apart for a while.
func (q *queue) tellApart() {
	if len(q.place.Apart) == 0 {
		return
	}
	other := q.place.Apart[0]
	if other.Name == q.lastApart.Name && other.ApartUntil.Equal(q.lastApart.ApartUntil) {
		return
	}
	q.lastApart = other
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
