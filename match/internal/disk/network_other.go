//go:build !linux

package disk

// NetworkFileSystem does not know on this system.
func NetworkFileSystem(string) string { return "" }
