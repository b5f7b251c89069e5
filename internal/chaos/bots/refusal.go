package bots

import (
	"slices"
	"time"

	"notakto/internal/chaos/history"
)

const (
	again         = 20 * time.Millisecond // after a refusal, doubled with each that says nothing definite
	doubled       = 6                     // times
	enough        = 6                     // refusals, after which another server may be tried
	maxRejections = 4                     // of one match, after which it is given up for lost
)

// refused is an error in answer to the last line. Whatever it was, the match is asked for anew.
func (b *bot) refused(line history.Line) {
	w := b.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	b.request = nil
	b.late.Reset(never)
	if line.Definite() {
		b.pause(again)
	} else {
		b.pause(again << min(b.rejections, doubled))
		b.rejections++
		b.tired = opens(w.Do) || b.rejections%enough == 0 && b.rng.IntN(2) == 0
	}
	switch line.Code {
	case "draining":
		b.draining = true
	case "already_seeking", "too_many", "rate_limited":
		b.pause(time.Second / 2)
	}
	switch w.Do {
	case "join":
		if !line.Definite() || line.Code == "rate_limited" || line.Code == "too_many" {
			b.crowd.offer(b.joining)
		}
	case "move", "resign":
		if g := b.games[w.Match]; g != nil {
			g.shown = false
		}
	case "state", "watch":
		b.unknown(w, line)
	}
}

// opens reports whether a line asks for a match. Where nobody knows whether there is one now, whoever comes back is
// told.
func opens(do string) bool {
	return slices.Contains([]string{"seek", "create", "join", "computer"}, do)
}

// unknown is a match that could not be shown. After a few times it is given up; the checker has read why.
func (b *bot) unknown(w *history.Line, line history.Line) {
	g := b.games[w.Match]
	if g == nil || !line.Definite() {
		if b.looksOn {
			b.crowd.hide(w.Match)
		}
		return
	}
	g.watched = true
	if w.Do == "watch" {
		g.rejections++
	}
	if g.rejections >= maxRejections || b.looksOn {
		delete(b.games, w.Match)
		b.crowd.hide(w.Match)
	}
}
