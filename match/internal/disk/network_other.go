//go:build !linux

package disk

// NetworkFileSystem returns an empty name, because this system does not tell.
func NetworkFileSystem(string) string { return "" }
