package wording

import "notakto/rules/strategy"

// Level says how a rung of the ladder plays, as the end of a sentence about it; empty for other levels.
func Level(l strategy.Level) string {
	switch l {
	case strategy.Novice:
		return "slips in four moves of five."
	case strategy.Learner:
		return "slips in every other move."
	case strategy.Steady:
		return "slips in three moves of ten."
	case strategy.Careful:
		return "slips in one move of six."
	case strategy.Sharp:
		return "slips in one move of twelve."
	case strategy.Perfect:
		return "never lets a won game go."
	default:
		return ""
	}
}

// LevelNames returns the names of some levels.
func LevelNames(levels []strategy.Level) []string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.String()
	}
	return names
}
