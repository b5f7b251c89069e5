package limit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// If 600 players use up 512 descriptors, newcomers do not even read that the server is full.
func TestAllWhoAreLetInFitTheDescriptors(t *testing.T) {
	clamp := func(s Settings, descriptors int) [4]int {
		s, uncrowdedLimit := s.ClampToFDs(descriptors, func(string, ...any) {})
		return [...]int{s.MaxLogins, uncrowdedLimit, s.MaxSessions, s.MaxWaiting}
	}
	s := DefaultSettings()
	for _, descriptors := range []int{1, 10, 64, 100, 512, 1024, 4096, 7000, 65536} {
		c := clamp(s, descriptors)
		if most := max(descriptors-reservedDescriptors, descriptors/2); descriptors > 10 && c[1]+c[2]+c[3] > most {
			t.Errorf("%v need more than %d descriptors", c, most)
		}
		if slices.Min(c[:]) < 1 || c[0] > c[1] {
			t.Errorf("%d descriptors leave %v", descriptors, c)
		}
	}
	if got := clamp(s, 512); got != [...]int{104, 104, 286, 26} {
		t.Errorf("512 descriptors leave %v", got)
	}
	s.MaxSessions = 10 // lower than the room
	if got := clamp(s, 512); got != [...]int{104, 104, 10, 26} {
		t.Errorf("512 descriptors leave %v", got)
	}
}

func TestTooFewDescriptorsAreLogged(t *testing.T) {
	var shown string
	warn := func(msg string, fields ...any) { shown = fmt.Sprint(msg, fields) }
	if s, uncrowdedLimit := DefaultSettings().ClampToFDs(65536, warn); shown != "" || uncrowdedLimit != 2048 ||
		s.MaxSessions != 5000 {
		t.Errorf("%q: %d, %+v", shown, uncrowdedLimit, s)
	}
	if s, _ := DefaultSettings().ClampToFDs(512, warn); s.MaxSessions != 286 ||
		!strings.Contains(shown, "open-files 512 max-sessions 286") {
		t.Errorf("%q: %+v", shown, s)
	}
}
