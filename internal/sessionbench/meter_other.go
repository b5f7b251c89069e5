//go:build !linux

package main

import (
	"errors"
	"time"
)

func residentBytes(int) (int64, error) { return 0, errors.ErrUnsupported }

func cpuTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

func load() string { return "unknown" }

func raiseFileLimit() (uint64, error) { return 0, errors.ErrUnsupported }
