// Package terminal reads what a client says of its terminal and its environment, and writes to one that may have
// stopped reading. It starts no goroutine.
package terminal
