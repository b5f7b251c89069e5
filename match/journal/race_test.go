//go:build race

package journal

// atOnce is how many tests run at once. Under the race detector they compute much, and elections come too late.
const atOnce = "4"
