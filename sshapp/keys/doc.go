// Package keys decodes the input of a player on the full screen into events, within limits. Package screen makes one
// [Reader] for a session and runs it in a goroutine.
//
// A Reader drops sequences that no terminal sends, and input that comes faster than a person types. The Reader still
// reads such input, because unread input would cost memory and hide that the client has gone. The session ends after a
// megabyte of input that came too fast, or when an unfinished sequence has 4,096 bytes.
//
// A timer runs beside [Reader.Run]. The timer decides that an escape byte alone is the Escape key, and that a sequence
// or a paste has lost its end.
package keys
