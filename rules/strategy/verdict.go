package strategy

// Verdict is how a game ends with perfect play of both sides, for one of them. The zero value is none.
type Verdict uint8

// The verdicts, worst first.
const (
	Loss Verdict = iota + 1
	Draw
	Win
)

var verdictNames = [...]string{Win: "win", Loss: "loss", Draw: "draw"}

// String returns the verdict's name in the protocol; empty for none.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return ""
}

// forOpponent returns the same end of the game as the other side sees it.
func (v Verdict) forOpponent() Verdict {
	switch v {
	case Win:
		return Loss
	case Loss:
		return Win
	default:
		return v
	}
}
