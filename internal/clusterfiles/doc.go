// Package clusterfiles makes what the servers of a new cluster need: a folder for each, with its settings, the secret,
// the host key, and its certificate.
package clusterfiles
