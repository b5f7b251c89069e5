//go:build !unix

package hostkeys

import "io/fs"

// isShared reports false: this system has no modes to check.
func isShared(fs.FileInfo) bool { return false }
