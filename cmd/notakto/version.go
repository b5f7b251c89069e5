package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set by the linker (-X main.release=1.2.3) when a release is built; a variable is the only thing it can
// set.
var release string //nolint:gochecknoglobals // see above; nothing writes it at run time

// version names the release or, of a build that is none, what Go knows about it, with the commit and the tool chain.
func version() string {
	name, commit := release, ""
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
		for _, s := range build.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value[:min(len(s.Value), 12)] + ", "
			case s.Key == "vcs.modified" && s.Value == "true":
				commit = "changed after " + commit
			}
		}
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", cmp.Or(name, "(devel)"), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
