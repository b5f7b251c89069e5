// Package codec encodes the events of a match with a checksum, and decodes them: entries of a live log, and records of
// the archive. It distinguishes what a newer version of the program wrote from damage.
package codec
