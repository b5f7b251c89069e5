package match

import "errors"

// Why is the words for a player in an error that wraps [ErrUnavailable], without what was being done; empty for any other error.
func Why(err error) string {
	if !errors.Is(err, ErrUnavailable) {
		return ""
	}
	for {
		inner := errors.Unwrap(err)
		if inner == ErrUnavailable || !errors.Is(inner, ErrUnavailable) {
			return err.Error()
		}
		err = inner
	}
}
