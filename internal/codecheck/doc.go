// Package codecheck holds tests that read the source and the documents, for rules that no linter knows:
//
//   - A goroutine of the product has an owner that waits for it.
//   - A doc link names a declaration, and a link of a page leads to a file and heading.
//   - An error that a player may cause has a text.
//   - docs/log.md lists the events of the log, and docs/dependencies.md the modules.
//   - docs/architecture.md names only functions that exist.
//
// .golangci.yml has the rules for imports between packages, line lengths and the rest.
package codecheck
