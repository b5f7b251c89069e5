// Package codec encodes the events of a match for package store and decodes them. An entry of a live log holds events
// that were appended together, and a [Record] of the archive holds a finished match.
//
// The first byte of an entry or a record is its type and version. A checksum of the bytes and the match ID stands at
// the end. Decoding returns [match.ErrNewer] for bytes of a newer version of the program, and another error for damage.
// Functions here only compute, and start no goroutine.
package codec
