//go:build attack

package main

import "slices"

// orders returns all sequences of a length of the first n numbers, with repetitions.
func orders(n, length int) [][]int {
	if length == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, row := range orders(n, length-1) {
		for k := range n {
			all = append(all, append(slices.Clone(row), k))
		}
	}
	return all
}

// distinct returns the orders in which no number occurs twice.
func distinct(n, length int) [][]int {
	return slices.DeleteFunc(orders(n, length), func(row []int) bool {
		return len(slices.Compact(slices.Sorted(slices.Values(row)))) < length
	})
}
