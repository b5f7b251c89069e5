// Package player is the tree of commands that people, scripts and bots type after `ssh HOST`, and that the local
// program has as well.
//
// An [Env] says what a command line can use: the reader and writers, whether a terminal is there, and the [Server] as
// this player may use it. [New] builds the tree of an Env, [Run] runs a command line on it, and [Report] writes the
// error and returns the exit status. The sshapp package does that for each session with a command, cmd/notakto for the
// process. A command that leads to a game or to the bot protocol names its [FrontEnd] and returns; [Env.Serve] serves
// that once the tree is gone, since a session may last for hours.
//
// A command that needs a server is in every tree, so that its help is there too; without a server it fails with a text
// that says where to ask. A command answers in words or, with --json, with one JSON value whose fields are a promise
// (docs/commands.md).
//
// Commands run in the goroutine of the caller. Only those that read lines, such as classic, start a goroutine; it ends
// with a Read of [Env.In].
package player
