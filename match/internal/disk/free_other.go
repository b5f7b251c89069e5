//go:build !linux && !darwin && !freebsd && !openbsd

package disk

import "math"

// Free returns the largest number, because this system does not tell. The server notices a full disk when a write
// fails.
func Free(string) (uint64, error) { return math.MaxUint64, nil }
