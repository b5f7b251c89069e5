//go:build !linux

package main

import (
	"errors"
	"os"
)

var errNoDisks = errors.New("this system has no disk whose power can be cut")

// disk is a file system whose power can be cut.
type disk struct{}

func newDisk(string, string) (*disk, error) { return nil, errNoDisks }

func (*disk) cut() error     { return errNoDisks }
func (*disk) restore() error { return errNoDisks }
func (*disk) unmount() error { return errNoDisks }

func freeze(*os.Process) error { return errNoDisks }
func thaw(*os.Process) error   { return errNoDisks }
