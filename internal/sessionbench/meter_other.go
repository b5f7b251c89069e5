//go:build !linux

package main

import "errors"

func load() string { return "unknown" }

func fileLimit() (uint64, error) { return 0, errors.ErrUnsupported }
