// Package keys decodes what a player types on the full screen into events, within bounds. The package screen makes one
// [Reader] for a session and runs it in a goroutine.
//
// A Reader drops what no terminal sends, and what comes faster than a person types: left unread, such input would cost
// memory and hide that the client has gone. Only a timer of its own calls it beside [Reader.Run]: it decides that an
// escape byte that nothing follows is the Escape key.
package keys
