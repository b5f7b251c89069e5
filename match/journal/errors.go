package journal

import "errors"

// ErrLocked says that another process uses the data directory.
var ErrLocked = errors.New("another process uses this directory: stop it, or give this one a directory of its own")
