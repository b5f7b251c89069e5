// Package bots is a crowd of players that play without pause, come back whenever their connection is cut, and write
// down everything that they say and are told.
//
// Each has a key of its own, made from the seed and its number, and says one line at a time: it waits for what comes of
// it before the next.
package bots
