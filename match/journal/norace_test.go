//go:build !race

package journal

const atOnce = "10"
