package sshapp

import (
	"fmt"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/limit"
)

// A player that came back to a guest's seat once had no address, and no limit of an address applied.
func TestWhoGoesOnAsAGuestIsStillThere(t *testing.T) {
	h := startServer(t)
	come := func() (verbs, func()) {
		client := h.dial("guest", nil)
		v := verbs{newTalk(t, client, "bot")}
		v.gets("welcome")
		return v, func() { _ = client.Close() }
	}
	first, leave := come()
	first.types(`{"do":"computer","level":"random","variant":"notakto/9","seat":1}`)
	seat := first.gets("match")
	id := h.admission.Players()[0]
	leave()
	eventually(t, "the guest to go", func() bool { return networkOf(h.sources, id) == "" })
	second, leave := come()
	second.types(fmt.Sprintf(`{"do":"join","code":%q}`, seat.Code))
	second.gets("welcome")
	second.gets("match")
	testkit.Equal(t, networkOf(h.sources, id), "127.0.0.1/32")
	if !h.sources.HoldsForAny(h.admission.Players()[0], h.manager.IsPlaying) {
		t.Error("who has come back to a match is not taken for a player of one")
	}
	if h.sources.HoldsForAny(h.admission.Players()[0], h.manager.IsPlayingOthers) {
		t.Error("the computer is taken for another player")
	}
	tries, kind := 0, ""
	for ; kind != "error rate_limited" && tries < 100; tries++ {
		second.types(`{"do":"join","code":"CCCC"}`)
		kind, _ = second.next()
	}
	if tries <= 20 || tries == 100 {
		t.Errorf("try %d is answered by %s", tries, kind)
	}
	leave()
	eventually(t, "the second to go", func() bool { return h.inside() == 0 })
	testkit.Equal(t, networkOf(h.sources, id), "")
}

// networkOf returns the smallest network of a player, or "".
func networkOf(a *limit.SourceTracker, p match.PlayerID) string {
	if all := a.Networks(p); len(all) > 0 {
		return all[0]
	}
	return ""
}
