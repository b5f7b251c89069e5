//go:build race

package main

// buildFlags has the binary built with the race detector if the tests are.
func buildFlags() []string { return []string{"-race"} }
