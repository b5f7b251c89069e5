// Package wording has the sentences that several front ends say. They explain refusals, with the code for a bot
// ([Refusal]), and describe games and clocks, results, and reviews by perfect play. Each front end words everything
// else in its own way.
//
// All functions are pure. The package reads no clock and starts no goroutine. Functions with a parameter subject, name
// or opponent let each front end name players in its own way. A limit of the width stands in the comment of a function.
package wording
