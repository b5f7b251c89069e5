// Package keys decodes the input of a player on the full screen into events, within limits. Package screen makes one
// [Reader] for a session and runs it in a goroutine.
//
// A Reader drops sequences that no terminal sends, and input that comes faster than a person types. Unread, such input
// would cost memory and hide that the client has gone. A timer calls the Reader beside [Reader.Run], to decide that an
// escape byte alone is the Escape key.
package keys
