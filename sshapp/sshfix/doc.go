// Package sshfix works around what golang.org/x/crypto/ssh (0.58) does or does not tell. Each file says what is
// missing, what a client could do with that, and which test fails when the library has changed: then the file can go.
package sshfix
