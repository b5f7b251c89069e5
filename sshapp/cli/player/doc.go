// Package player has the commands that people, scripts and bots type after "ssh HOST". Package sshapp runs
// them for clients, and cmd/notakto runs them locally.
//
// An [Env] tells the commands the host, the abilities of the client, and the [Server] from the view of its player.
// [Root] returns the commands for an Env, and package cli runs one of them. Without a server, the flag --help of every
// command works. A command that needs a server then fails with an error that says where to ask.
//
// A command that leads to the game or to the bot protocol passes a [FrontEnd] to LeadTo and returns. The caller then
// runs the front end, because a session may last for hours.
//
// docs/commands.md promises the fields that --json prints, and their order. Commands run in the goroutine of their
// caller, but a timer or the end of the context may call Env.EndInput from another goroutine.
package player
