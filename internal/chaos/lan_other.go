//go:build !linux

package main

// lan is not available on this system.
type lan struct{}

func newLAN() (*lan, error) { return nil, errNoNamespaces }

func (l *lan) join(*place) (string, error) { return "", errNoNamespaces }

func (l *lan) cut(string, bool, bool) error { return errNoNamespaces }

func (l *lan) heal() error { return errNoNamespaces }
