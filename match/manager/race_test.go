//go:build race

package manager

// The race detector sees in some simulations what it would see in all; what they lead to is seen without it.
const usualSeeds, usualTowns, randomMatches = 30, 2, 500
