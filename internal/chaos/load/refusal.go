package load

import (
	"slices"
	"time"

	"notakto/sshapp/bot/botproto"
)

const (
	again         = 20 * time.Millisecond // pause after a refusal, doubled with each that is not definite
	doubled       = 6                     // maximum number of doublings
	enough        = 6                     // refusals, after which another server may be tried
	maxRejections = 4                     // of one match, after which it counts as lost
)

// refused processes an error in answer to the last line. In any case the match is requested again.
func (b *bot) refused(line botproto.Error) {
	w := b.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	b.request = nil
	b.late.Reset(never)
	if line.Code.Definite() {
		b.pause(again)
	} else {
		b.pause(again << min(b.rejections, doubled))
		b.rejections++
		b.tired = opens(w.Do) || b.rejections%enough == 0 && b.rng.IntN(2) == 0
	}
	switch line.Code {
	case botproto.CodeDraining:
		b.draining = true
	case botproto.CodeAlreadySeeking, botproto.CodeTooMany, botproto.CodeRateLimited, botproto.CodeRated:
		b.pause(time.Second / 2)
	}
	switch w.Do {
	case botproto.DoJoin:
		if !line.Code.Definite() || line.Code == botproto.CodeRateLimited || line.Code == botproto.CodeTooMany {
			b.load.offer(b.joining)
		}
	case botproto.DoMove, botproto.DoResign:
		if g := b.games[w.Match]; g != nil {
			g.shown = false
		}
	case botproto.DoState, botproto.DoWatch:
		if b.pairs.seedOf == w.Match && line.Code.Definite() {
			b.pairs.seedOf = ""
		}
		b.unknown(w, line)
	}
}

// opens reports whether a line requests a match. If it is unknown whether there is one now, the welcome after
// reconnecting shows it.
func opens(do botproto.Verb) bool {
	return slices.Contains(
		[]botproto.Verb{botproto.DoSeek, botproto.DoCreate, botproto.DoJoin, botproto.DoComputer}, do)
}

// unknown processes that a match could not be shown. After a few times the bot drops it; the checker has read the
// reason.
func (b *bot) unknown(w *botproto.Request, line botproto.Error) {
	g := b.games[w.Match]
	if g == nil || !line.Code.Definite() {
		if b.spectates {
			b.load.hide(w.Match)
		}
		return
	}
	g.watched = true
	if w.Do == botproto.DoWatch {
		g.rejections++
	}
	if g.rejections >= maxRejections || b.spectates {
		delete(b.games, w.Match)
		b.load.hide(w.Match)
	}
}
