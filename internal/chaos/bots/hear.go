package bots

import (
	"slices"
	"time"

	"notakto/internal/chaos/history"
)

// handle takes one event in.
func (b *bot) handle(line history.Line) {
	switch line.Event {
	case "welcome":
		b.welcome(line)
	case "match":
		b.shown(line)
	case "table":
		b.table(line)
	case "move":
		b.moved(line)
	case "end":
		delete(b.games, line.Match)
		b.crowd.hide(line.Match)
		b.answered("resign")
	case "seeking":
		b.seeking = true
		b.answered("seek")
	case "cancelled":
		b.seeking, b.calm = false, true
		b.answered("cancel", "seek")
	case "error":
		b.refused(line)
	}
}

func (b *bot) welcome(line history.Line) {
	b.listed = append(make([]string, 0, 1), line.Matches...)
	for _, id := range line.Matches {
		if b.games[id] == nil {
			b.games[id] = &game{id: id}
		}
	}
	b.late.Reset(never)
	b.pause(0)
	b.resting = false
	select {
	case b.crowd.back <- struct{}{}:
	default:
	}
}

func (b *bot) shown(line history.Line) {
	g := b.games[line.Match]
	if g == nil {
		g = &game{id: line.Match}
		b.games[g.id] = g
		b.seeking = b.seeking && b.request != nil && slices.Contains([]string{"join", "computer", "watch"}, b.request.Do)
	}
	g.stand(line)
	g.rejections = 0
	if g.begun && !line.Over {
		b.crowd.show(g.id)
	}
	if w := b.request; w != nil && w.Match != "" && w.Match != line.Match {
		return
	}
	if b.answered("state", "watch", "join", "computer", "cancel") == "cancel" {
		b.calm = true
	}
}

// table is a private table of the bot's: its code is left for another.
func (b *bot) table(line history.Line) {
	if b.games[line.Match] == nil {
		b.games[line.Match] = &game{id: line.Match, shown: true}
	}
	b.games[line.Match].private = true
	b.crowd.offer(offer{line.Code, b.name})
	b.answered("create")
}

func (b *bot) moved(line history.Line) {
	g := b.games[line.Match]
	if g == nil {
		return
	}
	g.play(line.Move)
	if w := b.request; w != nil && w.Do == "move" && w.Match == line.Match && line.Seat == g.seat {
		b.answered("move")
	}
}

// answered ends the wait for what comes of the last line, if it was one of these, and says which.
func (b *bot) answered(dos ...string) string {
	if b.request == nil || !slices.Contains(dos, b.request.Do) {
		return ""
	}
	do := b.request.Do
	b.request, b.rejections = nil, 0
	b.late.Reset(never)
	if think := b.crowd.cfg.Think; think > 0 {
		b.pause(time.Duration(b.rng.Int64N(int64(think))) + 1)
	}
	return do
}
