// Package load is a load of bots that play without pause, reconnect whenever their connection is cut, and record every
// line that they send and receive.
//
// Each has its own key, made from the seed and its number, and sends one request at a time: it waits for the answer
// before the next.
package load
