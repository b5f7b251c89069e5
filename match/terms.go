package match

import "notakto/rules"

// Terms are what the players of a match have agreed to play. They are comparable: players who seek equal terms can be
// paired. They have no methods, so that a type that embeds them gets none.
type Terms struct {
	Variant rules.Variant `json:"variant"`
}

// DefaultTerms returns the terms for a player who asks for nothing else.
func DefaultTerms() Terms { return Terms{Variant: rules.DefaultVariant()} }

// CheckTerms returns [rules.ErrBadVariant] if no match can be played on these terms.
func CheckTerms(t Terms) error {
	if !t.Variant.Valid() {
		return rules.ErrBadVariant
	}
	return nil
}
