package wording

import (
	"strings"

	"github.com/spf13/cobra"
)

const (
	// longestSuggestion is how much of a word is compared: no name is that long.
	longestSuggestion = 24
	// mostMistakes is how many letters may be wrong, in a word that has twice as many, and whose first one is right if
	// more than one is wrong.
	mostMistakes = 2
)

// Suggest proposes the name that was probably meant by what was typed, in words that go behind a refusal; nothing if
// none is near. The prefix stands before the name.
func Suggest(prefix, typed string, names []string) string {
	if near := nearest(typed[:min(len(typed), longestSuggestion)], names); near != "" {
		return "; did you mean " + prefix + near + "?"
	}
	return ""
}

// nearest has cobra compare: first it allows one mistake, then more.
func nearest(typed string, names []string) string {
	tree := new(cobra.Command)
	for _, name := range names {
		tree.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for mistakes := 1; typed != "" && mistakes <= max(1, min(mostMistakes, len(typed)/2)); mistakes++ {
		tree.SuggestionsMinimumDistance = mistakes
		for _, near := range tree.SuggestionsFor(typed) {
			if mistakes == 1 || strings.EqualFold(near[:1], typed[:1]) {
				return near
			}
		}
	}
	return ""
}
