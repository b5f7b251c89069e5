// Package keys decodes what a player types on the full screen into events, within bounds. The package screen makes one
// [Reader] for a session and runs it in a goroutine.
//
// A Reader drops what no terminal sends, and what comes faster than a person types: left unread, such input would cost
// memory and hide that the client has gone. A timer calls the Reader beside [Reader.Run], to decide that an escape byte
// without more is the Escape key.
package keys
