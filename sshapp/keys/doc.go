// Package keys decodes what a player types into events, within bounds: it drops what no terminal sends, and what comes
// faster than a person types.
package keys
