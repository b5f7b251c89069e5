package tui

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

// The page is docs/playing.md.
func TestPageHasTheKeysOfTheTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/playing.md")
	testkit.OK(t, err)
	_, section, _ := strings.Cut(string(text), "At the table:\n\n")
	section, _, _ = strings.Cut(section, "\n\n")
	var documented []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(section, -1) {
		for _, key := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			documented = append(documented, strings.ToLower(key[1]))
		}
	}
	if len(documented) < 10 {
		t.Fatalf("the table is not found: %q", documented)
	}
	r := seatAt(t, utf8Theme(), middle(rules.DefaultVariant()), 80, 24)
	bindings := append(r.env.settingActions(), action{key: &r.env.keys.help}, action{key: &r.env.keys.interrupt})
	var bound []string
	for _, b := range append(bindings, r.screen.actions()...) {
		for _, key := range b.key.Keys() {
			// The page names these keys as a range.
			if len(key) == 1 && (key >= "A" && key <= "I" || key > "1" && key < "9") {
				continue
			}
			bound = append(bound,
				strings.ToLower(strings.NewReplacer("ctrl+", "ctrl-", "shift+", "shift-").Replace(key)))
		}
	}
	for _, key := range documented {
		if isOfTheResult := key == "v"; !isOfTheResult && !slices.Contains(bound, key) {
			t.Errorf("docs/playing.md has %q, which no key of the table is", key)
		}
	}
	// The page does not name arrows, or further keys of an action with a named key.
	withoutName := []string{"up", "down", "left", "right", "kpenter", "esc", "f1"}
	withoutName = append(withoutName, r.env.keys.smallBoards.Keys()...) // only tell to press Shift
	for _, key := range bound {
		if !slices.Contains(withoutName, key) && !slices.Contains(documented, key) {
			t.Errorf("docs/playing.md does not have %q", key)
		}
	}
}
