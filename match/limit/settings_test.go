package limit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// If 600 players use up 512 descriptors, newcomers do not even read that the server is full.
func TestAllWhoAreLetInFitTheDescriptors(t *testing.T) {
	var warned string
	clamp := func(s Settings, descriptors int) [4]int {
		warned = ""
		warn := func(msg string, fields ...any) { warned = fmt.Sprint(msg, fields) }
		s, uncrowdedLimit := s.ClampToFDs(descriptors, warn)
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
	if got := clamp(s, 512); got != [...]int{104, 104, 286, 26} ||
		!strings.Contains(warned, "open-files 512 max-sessions 286") {
		t.Errorf("512 descriptors leave %v: %q", got, warned)
	}
	if got := clamp(s, 65536); got[1] != 2048 || got[2] != 5000 || warned != "" {
		t.Errorf("65536 descriptors leave %v: %q", got, warned)
	}
	s.MaxSessions = 10 // lower than the room
	if got := clamp(s, 512); got != [...]int{104, 104, 10, 26} {
		t.Errorf("512 descriptors leave %v", got)
	}
}
