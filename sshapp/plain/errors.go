package plain

import (
	"errors"

	"notakto/sshapp/wording"
)

// report says why something cannot be done, if so. At a stop nobody knows, and what is told then holds either way.
func (s *session) report(err error) {
	if err != nil && s.ctx.Err() == nil {
		s.printLine(errorText(err))
	}
}

// errorText says why something cannot be done, and what to do.
func errorText(err error) string {
	switch {
	case errors.Is(err, errNobodyPlays):
		return noOpenMatch
	case errors.Is(err, errTwoTables):
		return "Two of your matches are open here: type leave to step away from this one first."
	default:
		return wording.FullError(err)
	}
}
