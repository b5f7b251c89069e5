// Package tui is the full-screen game: a Bubble Tea program that draws with package draw into a grid of cells that the
// caller owns.
//
// Package screen makes a [Root] for each session with [New], passes it keys and messages, and renders it after each.
// Root is the router. It holds the shown screen, a question over the screen (dialog), the player's other matches
// (ownMatches) and the status line. Each screen has its own file; env holds what the screens share. A screen describes
// its keys in one list of actions. Root makes the footer and the help from the list, and runs the action of a key or
// click. A navigation is a function that changes the screen through Root and returns a command for Bubble Tea to run.
//
// The screens do not decide the state of a match. They show the snapshots of a [client.Table] and send requests, each
// in a command with its own deadline. A screen shows a move only after the server has recorded the move and sent it
// back.
//
// The package starts no goroutine: Bubble Tea runs each command in one of its own. At most one command waits on each
// mailbox. The command ends when the mailbox is closed. [Root.Close] closes all mailboxes.
package tui
