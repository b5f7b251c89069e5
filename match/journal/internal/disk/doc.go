// Package disk has what the journal asks of the file system beside NATS: a lock on a directory, small files that are
// written whole and read with care, and the room that is left.
package disk
