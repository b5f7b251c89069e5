// Package disk has what the journal needs of the file system besides NATS: a lock on a directory, small files that are
// replaced atomically and read with care, and the free space.
package disk
