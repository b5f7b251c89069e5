package tui

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
)

// Each key that docs/playing.md lists does something at a table, and the page lists each key of the table.
func TestPageHasTheKeysOfTheTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/playing.md")
	if err != nil {
		t.Fatal(err)
	}
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
	bindings := append(r.env.settingActions(), action{key: &r.env.keys.help}, action{key: &r.env.keys.cut})
	var bound []string
	for _, b := range append(bindings, r.screen.actions()...) {
		for _, key := range b.key.Keys() {
			if len(key) == 1 && (key >= "A" && key <= "I" || key > "1" && key < "9") { // the page names them all together
				continue
			}
			bound = append(bound, strings.ToLower(strings.NewReplacer("ctrl+", "ctrl-", "shift+", "shift-").Replace(key)))
		}
	}
	for _, key := range documented {
		if isOfTheResult := key == "v"; !isOfTheResult && !slices.Contains(bound, key) {
			t.Errorf("docs/playing.md has %q, which no key of the table is", key)
		}
	}
	withoutName := []string{"up", "down", "left", "right", "kpenter", "esc", "f1"} // arrows, and other keys of the same
	for _, key := range bound {
		if !slices.Contains(withoutName, key) && !slices.Contains(documented, key) {
			t.Errorf("docs/playing.md does not have %q", key)
		}
	}
}
