// Package docs holds the pictures of the documentation that the server shows on the web.
package docs

import _ "embed" // for MatchSVG

// MatchSVG is the moving picture of a match, match.svg. It must not be modified.
//
//go:embed match.svg
var MatchSVG []byte
