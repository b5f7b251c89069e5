// Package disk holds the file system functions of the store. [Lock] keeps a second process out of a data directory, and
// [WriteFile] replaces a small file atomically. The functions Free and NetworkFileSystem describe the disk.
//
// A function that a system does not support reports the best case there, because the server must run anyway.
package disk
