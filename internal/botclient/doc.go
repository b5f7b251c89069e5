// Package botclient is a client of the bot protocol over SSH, for tools that play on a real server. [Login] and [Start]
// also serve tools that use another command, or the full screen. A tool that has to break the rules of SSH uses
// internal/wire.
package botclient
