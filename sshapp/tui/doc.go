// Package tui is the full-screen game. A [Root] is the Bubble Tea program of one session. Package sshapp/screen makes a
// Root with [New], passes messages to Root and renders Root after each message.
//
// Root routes messages and holds the shown screen, a question over the screen (dialog), the player's other matches
// (ownMatches) and the status line. Every screen has its own file, and env holds the state that screens share. A screen
// lists its keys as actions. Root makes the footer and the help from the list, and runs the action of a key or click. A
// navigation is a function that acts on Root, usually to show another screen, and returns a command. The layout of a
// screen depends on the [draw.Size] of the window.
//
// The screens do not decide the state of a match, but show the snapshots of a [client.Table] and send requests with
// deadlines. A move appears only after the server has recorded the move and sent it back.
//
// The package starts no goroutine, but Bubble Tea runs each command in a goroutine of its own. For every open table
// and queue place one command waits for news. [Root.Close] closes the tables and the place, and ends all commands.
package tui
