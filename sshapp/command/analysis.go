package command

import (
	"encoding/json"
	"fmt"
	"io"

	"notakto/rules"
	"notakto/rules/strategy"
)

// analysis is what `analyse --json` prints. Its fields and their order are a promise (docs/commands.md).
type analysis struct {
	Variant  string        `json:"variant"`
	Position string        `json:"position"`
	Turn     int           `json:"turn"`
	Verdict  string        `json:"verdict"`
	Winning  []string      `json:"winning_moves"`
	Moves    []moveVerdict `json:"moves"`
	Over     bool          `json:"over"`
	Winner   *int          `json:"winner,omitempty"` // only when the game is over
}

type moveVerdict struct {
	Move    string `json:"move"`
	Verdict string `json:"verdict"`
}

func analysisOf(a strategy.Analysis) analysis {
	outcome := a.Position.Outcome()
	all := analysis{
		Variant:  a.Position.Variant().String(),
		Position: a.Position.String(),
		Turn:     int(a.Position.Turn()),
		Verdict:  a.Verdict.String(),
		Winning:  moveNames(a.Position.Variant(), a.Winning()),
		Moves:    []moveVerdict{},
		Over:     outcome.Over(),
	}
	for _, m := range a.Moves {
		all.Moves = append(all.Moves, moveVerdict{a.Position.Variant().FormatMove(m.Move), m.Verdict.String()})
	}
	if all.Over {
		all.Winner = new(int(outcome.Winner))
	}
	return all
}

// moveNames is never nil, which JSON would have as null.
func moveNames(v rules.Variant, moves []rules.Move) []string {
	written := make([]string, 0, len(moves))
	for _, m := range moves {
		written = append(written, v.FormatMove(m))
	}
	return written
}

// writeJSON writes one JSON value and a newline.
func writeJSON(w io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
