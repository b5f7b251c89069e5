package tui

import (
	"maps"
	"slices"

	"notakto/match"
	"notakto/sshapp/client"
)

func waysBack(r *Root) []string {
	var lines []string
	for _, id := range r.session.commands.manager.MatchesOf(r.session.player.ID) {
		if code := r.codes[id]; code != "" {
			lines = append(lines, "Your way back: ssh -t "+r.session.host+" join "+string(code))
		}
	}
	return lines
}

// keepCode keeps the code of the player's seat at a table that may be left, and forgets those of matches that are over.
// A player who has had another is told.
func keepCode(r *Root, at *client.Table) {
	code := at.SeatState(at.Side).Code
	if code == "" || r.codes[at.ID] == code {
		return
	}
	if len(r.codes) > 0 {
		r.statusText = "New w" + resumeHint(r.session, code)[1:]
	}
	open := r.session.commands.manager.MatchesOf(r.session.player.ID)
	maps.DeleteFunc(r.codes, func(id match.ID, _ match.Code) bool { return !slices.Contains(open, id) })
	r.codes[at.ID] = code
}
