package match

import "errors"

// UserMessage returns the text for a player in an error that wraps [ErrUnavailable], without what was being done; empty
// for any other error.
func UserMessage(err error) string {
	if !errors.Is(err, ErrUnavailable) {
		return ""
	}
	for inner := errors.Unwrap(err); errors.Is(inner, ErrUnavailable) && inner.Error() != ErrUnavailable.Error(); {
		err, inner = inner, errors.Unwrap(inner)
	}
	return err.Error()
}
