package main

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"notakto/match/journal/natsd"
	"notakto/sshapp/command"
)

// The linker sets release and revision (-X main.release=1.2.3 -X main.revision=COMMIT) when a release is built;
// variables are the only things it can set.
var (
	release  string //nolint:gochecknoglobals // see above; nothing writes it at run time
	revision string //nolint:gochecknoglobals // as above
)

// version returns what the linker was told about this program or, where it was told nothing, what Go recorded.
func version() command.Version {
	name := release
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
	}
	return command.Version{
		Version: cmp.Or(name, "(devel)"), Revision: cmp.Or(revision, buildSetting("vcs.revision")),
		Modified: revision == "" && buildSetting("vcs.modified") == "true", Go: runtime.Version(), Data: natsd.Format,
	}
}

// buildSetting returns what Go recorded under a key when it built the program; empty without one.
func buildSetting(key string) string {
	build, _ := debug.ReadBuildInfo()
	if build == nil {
		return ""
	}
	for _, s := range build.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
