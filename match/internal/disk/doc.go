// Package disk has what the store needs of the file system besides the database: a lock on a directory, small files
// that are replaced atomically, and the free space.
package disk
