package load

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// handle processes one event.
func (b *bot) handle(event botproto.Event) {
	switch event := event.(type) {
	case botproto.Welcome:
		b.welcome(event)
	case botproto.Match:
		b.shown(event)
	case botproto.Table:
		b.table(event)
	case botproto.Move:
		b.moved(event)
	case botproto.End:
		b.pairs.ended(event, b.games[event.Match])
		delete(b.games, event.Match)
		b.load.hide(event.Match)
		b.answered(botproto.DoResign)
	case botproto.Seeking:
		b.seeking = true
		b.answered(botproto.DoSeek)
	case botproto.Cancelled:
		b.seeking, b.calm = false, true
		b.answered(botproto.DoCancel, botproto.DoSeek)
	case botproto.Error:
		b.refused(event)
	}
}

func (b *bot) welcome(line botproto.Welcome) {
	b.pairs.between = ""
	b.listed = append(make([]match.ID, 0, 1), line.Matches...)
	for _, id := range line.Matches {
		if b.games[id] == nil {
			b.games[id] = &game{id: id}
		}
	}
	b.late.Reset(never)
	b.pause(0)
	b.resting = false
	select {
	case b.load.back <- struct{}{}:
	default:
	}
}

func (b *bot) shown(line botproto.Match) {
	if b.pairs.shown(line) && line.Over { // a game of a pair that has ended before
		delete(b.games, line.Match)
		b.answered(botproto.DoState, botproto.DoWatch)
		return
	}
	g := b.games[line.Match]
	if g == nil {
		g = &game{id: line.Match}
		b.games[g.id] = g
		b.seeking = b.seeking && (isSecondGame(line) || b.request != nil && slices.Contains(
			[]botproto.Verb{botproto.DoJoin, botproto.DoComputer, botproto.DoWatch}, b.request.Do))
	}
	g.stand(line)
	g.rejections = 0
	if g.begun && !line.Over {
		b.load.show(g.id)
	}
	if w := b.request; w != nil && w.Match != "" && w.Match != line.Match {
		return
	}
	do := b.answered(
		botproto.DoState, botproto.DoWatch, botproto.DoJoin, botproto.DoComputer, botproto.DoCancel)
	if do == botproto.DoCancel {
		b.calm = true
	}
}

// table processes a new private table of the bot: its code is offered to other bots.
func (b *bot) table(line botproto.Table) {
	if b.games[line.Match] == nil {
		b.games[line.Match] = &game{id: line.Match, shown: true}
	}
	b.games[line.Match].private = true
	b.load.offer(offer{line.Code, b.name})
	b.answered(botproto.DoCreate)
}

func (b *bot) moved(line botproto.Move) {
	g := b.games[line.Match]
	if g == nil {
		return
	}
	g.play(line.Move)
	if w := b.request; w != nil && w.Do == botproto.DoMove && w.Match == line.Match && line.Seat == g.seat {
		b.answered(botproto.DoMove)
	}
}

// answered ends the wait for an answer to the last request, if its verb is one of these, and returns the verb.
func (b *bot) answered(dos ...botproto.Verb) botproto.Verb {
	if b.request == nil || !slices.Contains(dos, b.request.Do) {
		return ""
	}
	do := b.request.Do
	b.request, b.rejections = nil, 0
	b.late.Reset(never)
	if think := b.load.cfg.Think; think > 0 {
		b.pause(time.Duration(b.rng.Int64N(int64(think))) + 1)
	}
	return do
}
