//go:build !unix

package hostkeys

import "io/fs"

// ownership returns false, because systems other than Unix have no modes to check.
func ownership(fs.FileInfo) (owned, inGroup bool) { return false, false }
