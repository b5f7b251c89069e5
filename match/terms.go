package match

import "notakto/rules"

// Terms are what the two players of a match have agreed to play. They are comparable: players who seek the same terms
// can be paired. They have no methods, so that what embeds them gets none.
type Terms struct {
	Variant rules.Variant `json:"variant"`
}

// DefaultTerms are those that a player gets who asks for nothing else.
func DefaultTerms() Terms { return Terms{Variant: rules.DefaultVariant()} }

// CheckTerms says why no match can be played on these terms: [rules.ErrBadVariant].
func CheckTerms(t Terms) error {
	if !t.Variant.Valid() {
		return rules.ErrBadVariant
	}
	return nil
}
