//go:build race

package manager

// A few simulations are enough for the race detector. Their results are checked in the run without it.
const usualSeeds, usualTowns, randomMatches = 30, 2, 300
