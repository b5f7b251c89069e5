// Package lineedit makes lines of the keys that a terminal in its raw mode sends.
package lineedit
