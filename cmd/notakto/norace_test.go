//go:build !race

package main

func buildFlags() []string { return nil }
