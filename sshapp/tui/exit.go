package tui

import (
	"maps"
	"slices"
	"strings"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// ExitText is what a player reads whom the server sends home: why, what becomes of the matches and of the place in the
// queue, and a guest's ways back.
func (r *Root) ExitText(why string) string {
	lines := []string{why}
	if kept := wording.KeptAtStop(len(r.session.commands.manager.MatchesOf(r.session.player.ID))); kept != "" {
		lines = append(lines, kept)
	}
	if q := r.session.queue; q.IsWaiting() || q != nil && q.State == client.QueueStopping {
		lines = append(lines, "You wait for an opponent no longer: ask again when you have come back.")
	}
	return strings.Join(append([]string{strings.Join(lines, " ")}, r.waysBack()...), "\n")
}

// WaysBack returns what a guest who quits reads: a line for each of the guest's matches that go on, or "" if there
// are none.
func (r *Root) WaysBack() string { return strings.Join(r.waysBack(), "\n") }

func (r *Root) waysBack() []string {
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
func (r *Root) keepCode(at *client.Table) {
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
