//go:build !race

package manager

const usualSeeds, usualTowns, randomMatches = 150, 6, 600
