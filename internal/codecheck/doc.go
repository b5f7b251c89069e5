// Package codecheck holds tests that read the source and the documents: goroutines have owners, doc links lead
// somewhere, each error has words, and the tables of docs/log.md and docs/dependencies.md say what is there. Imports
// between packages, long lines and the rest are golangci-lint's, in .golangci.yml.
package codecheck
