package limit

import (
	"net/netip"
	"testing"

	"notakto/match"
)

func TestAnAddressIsKnownAsLongAsAPlayerIsThere(t *testing.T) {
	here, there := netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32")
	var a SourceTracker
	a.set("guest", there)
	a.set("one", here)
	a.set("two", here)
	a.GuestResumed("one", "guest")
	if a.remove("guest"); whereIs(&a, "guest") != here.String() {
		t.Errorf("the guest is at %q", whereIs(&a, "guest"))
	}
	a.GuestResumed("two", "guest")
	a.GuestResumed("guest", "other")
	if a.remove("one"); whereIs(&a, "guest") != here.String() || whereIs(&a, "other") != here.String() {
		t.Errorf("the guest is at %q, and at %q as another", whereIs(&a, "guest"), whereIs(&a, "other"))
	}
	a.remove("two")
	a.set("one", here)
	a.set("two", there)
	a.GuestResumed("one", "guest") // the second player continues as the guest too, and leaves first
	a.GuestResumed("two", "guest")
	a.GuestResumed("two", "guest")
	a.GuestResumed("guest", "other")
	if whereIs(&a, "guest") != there.String() {
		t.Errorf("the guest is at %q", whereIs(&a, "guest"))
	}
	if a.remove("two"); whereIs(&a, "guest") != here.String() || whereIs(&a, "other") != here.String() {
		t.Errorf("the guest is at %q, and at %q as another", whereIs(&a, "guest"), whereIs(&a, "other"))
	}
	a.remove("one")
	if len(a.addresses)+len(a.resumedBy)+len(a.guests) > 0 {
		t.Errorf("left behind: %v, %v, %v", a.addresses, a.resumedBy, a.guests)
	}
}

func whereIs(a *SourceTracker, p match.PlayerID) string {
	if all := a.Networks(p); len(all) > 0 {
		return all[0]
	}
	return ""
}
