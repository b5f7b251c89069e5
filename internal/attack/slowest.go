//go:build attack

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// slowest holds the longest times of several kinds of actions.
type slowest struct {
	sync.Mutex
	times map[string]time.Duration
}

func (s *slowest) took(kind string, d time.Duration) {
	s.Lock()
	defer s.Unlock()
	if s.times == nil {
		s.times = map[string]time.Duration{}
	}
	s.times[kind] = max(s.times[kind], d)
}

func (s *slowest) String() string {
	s.Lock()
	defer s.Unlock()
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(s.times)) {
		all = append(all, fmt.Sprintf("%s %.1f s", kind, s.times[kind].Seconds()))
	}
	return strings.Join(all, ", ")
}
