// Package codec turns the events of a match into bytes with a checksum, and back: entries of a live log, and records of
// the archive. What a newer version of the program wrote is told apart from damage.
package codec
