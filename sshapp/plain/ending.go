package plain

import "notakto/sshapp/wording"

// ending tells how the match ended.
func (at *sitting) ending() string {
	if at.Closed {
		return "That table was cleared."
	}
	return join(at.because(), at.headline())
}

// afterwards is what can be done at a table whose match is over.
func (at *sitting) afterwards() string {
	switch {
	case at.Closed:
		return ""
	case at.seated():
		return "Type rematch, review or leave."
	default:
		return "Type review to look back, or leave."
	}
}

// headline is who won.
func (at *sitting) headline() string {
	if at.Outcome.IsVoid() {
		return "The match does not count."
	}
	return wording.Headline(at.State, at.side, at.subject) + "."
}

// because is how the match ended.
func (at *sitting) because() string { return wording.Reason(at.State, at.subject) }
