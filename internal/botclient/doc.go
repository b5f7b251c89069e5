// Package botclient is a client of the bot protocol over SSH, for tools that play on a real server. [Login] and [Start]
// also serve tools that use another command, or the full screen. A tool that must violate the SSH protocol uses
// internal/wire.
package botclient
