package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"notakto/match/journal/natsd"
)

// release is set by the linker (-X main.release=1.2.3) when a release is built; a variable is the only thing it can
// set.
var release string //nolint:gochecknoglobals // see above; nothing writes it at run time

// version names the release or, of a build that is none, what Go knows about it, with the commit and the tool chain.
func version() string {
	name, commit := release, buildSetting("vcs.revision")
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
	}
	if commit != "" {
		commit = commit[:min(len(commit), 12)] + ", "
	}
	if buildSetting("vcs.modified") == "true" {
		commit = "changed after " + commit
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", cmp.Or(name, "(devel)"), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// ownVersion returns the version of this program in parts.
func ownVersion() versionInfo {
	name := release
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
	}
	return versionInfo{
		Version: cmp.Or(name, "(devel)"), Revision: buildSetting("vcs.revision"), Go: runtime.Version(),
		Data: natsd.Format,
	}
}

// buildSetting returns what Go recorded under a key when it built the program; empty without one.
func buildSetting(key string) string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	i := slices.IndexFunc(build.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if i < 0 {
		return ""
	}
	return build.Settings[i].Value
}
