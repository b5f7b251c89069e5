// Package codecheck holds tests that read the source and the documents: which package may import which, how large
// packages, types and lines may be, which words no identifier has, and that the documents' tables say what is there.
package codecheck
