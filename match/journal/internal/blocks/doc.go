// Package blocks reads the files in which a NATS server (2.15) keeps the messages of a stream, where it does not look
// itself: the length of the headers is not part of a record's checksum. Without it 2 of 800 damaged stores gave a match
// another history.
package blocks
