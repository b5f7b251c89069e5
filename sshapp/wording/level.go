package wording

import "notakto/rules/strategy"

// Level says how a rung of the ladder plays, as the end of a sentence about it; empty for other levels.
func Level(l strategy.Level) string {
	switch l {
	case strategy.Novice:
		return "slips on 4 moves in 5."
	case strategy.Learner:
		return "slips on every second move."
	case strategy.Steady:
		return "slips on 3 moves in 10."
	case strategy.Careful:
		return "slips on 1 move in 6."
	case strategy.Sharp:
		return "slips on 1 move in 12."
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
