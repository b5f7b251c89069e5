// Package load is players that play without pause, come back whenever their connection is cut, and write down every line
// that they send and receive.
//
// Each has a key of its own, made from the seed and its number, and sends one request at a time: it waits for the answer
// before the next.
package load
