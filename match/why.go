package match

import "errors"

// Why is the words for a player in an error that wraps [ErrUnavailable], without what was being done; empty for any other error.
func Why(err error) string {
	if !errors.Is(err, ErrUnavailable) {
		return ""
	}
	for inner := errors.Unwrap(err); errors.Is(inner, ErrUnavailable) && inner.Error() != ErrUnavailable.Error(); {
		err, inner = inner, errors.Unwrap(inner)
	}
	return err.Error()
}
