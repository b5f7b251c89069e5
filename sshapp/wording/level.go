package wording

import "notakto/rules/strategy"

// Level says how a rung of the ladder plays, as the end of a sentence about it; empty for other levels.
func Level(l strategy.Level) string {
	switch l {
	case strategy.Novice:
		return "slips in 4 of 5 moves."
	case strategy.Learner:
		return "slips in 1 of 2 moves."
	case strategy.Steady:
		return "slips in 3 of 10 moves."
	case strategy.Careful:
		return "slips in 1 of 6 moves."
	case strategy.Sharp:
		return "slips in 1 of 12 moves."
	case strategy.Perfect:
		return "never gives a win away."
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
