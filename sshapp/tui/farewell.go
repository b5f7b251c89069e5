package tui

import (
	"strings"
)

// Farewell is what a player reads whom the server sends home: why, what becomes of the matches and of the place in the queue, and a guest's
// ways back.
func (r *Root) Farewell(why string) string {
	told := []string{why}
	switch n := len(r.session.wishes.manager.Of(r.session.player.ID)); n {
	case 0:
	case 1:
		told = append(told, "Your match is kept, and goes on where it stands.")
	default:
		told = append(told, "Your "+count(n, "", "matches")+" are kept, and go on where they stand.")
	}
	if r.session.queue != nil || r.unqueued {
		told = append(told, "You wait for an opponent no longer: ask again when you have come back.")
	}
	text := strings.Join(told, " ")
	for _, at := range append(r.parked[:len(r.parked):len(r.parked)], sittingOf(r.screen)) {
		if at == nil || at.Over() {
			continue
		}
		if code := at.Chair(at.side).Code; code != "" {
			text += "\nYour way back: ssh -t HOST join " + string(code)
		}
	}
	return text
}
