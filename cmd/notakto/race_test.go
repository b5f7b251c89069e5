//go:build race

package main

// buildFlags make the binary that the tests run as watchful as the tests are.
func buildFlags() []string { return []string{"-race"} }
