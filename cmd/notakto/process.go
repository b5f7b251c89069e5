package main

import (
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/sshapp/cli/admin"
)

// askReload asks run to read the settings again, and waits for the result. Any goroutine may call it.
func (a *app) askReload() (admin.Reloaded, error) {
	answer := make(chan reloadAnswer, 1)
	select {
	case a.reloadAsked <- answer:
		a := <-answer
		return a.changed, a.err
	case <-time.After(reloadWithin):
		return admin.Reloaded{}, errStopping
	}
}

// errStopping says that the settings are no longer read.
var errStopping = errors.New("the server is stopping")

// reloadWithin is the time for which a reload waits for its turn.
const reloadWithin = 5 * time.Second

// reloadAnswer is the result of a reload.
type reloadAnswer struct {
	changed admin.Reloaded
	err     error
}

// reloader reads the settings again while the server runs, and applies the ones that can change.
type reloader struct {
	given  *pflag.FlagSet
	values map[string]string // of the settings that the server runs with
	level  *slog.LevelVar
}

// changes returns the names of the settings that differ from those of the running server. It stores the new values of
// those that are applied.
func (r *reloader) changes(next *pflag.FlagSet) (applied, restart []string) {
	each(next, func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case value == r.values[f.Name]:
		case has(f, isLive):
			applied = append(applied, f.Name)
			r.values[f.Name] = value
		default:
			restart = append(restart, f.Name)
		}
	})
	return applied, restart
}

// reload reads flags, variables and the file again. After an error all settings stay as they were.
func (a *app) reload() (changed admin.Reloaded, err error) {
	next, err := configured(a.reloader.given)
	if err == nil {
		err = next.validate()
	}
	if err == nil {
		err = a.admins.SetFiles(next.adminKeysFile, next.playerKeysFile)
	}
	if err == nil {
		err = a.server.SetLimits(next.ssh)
	}
	a.reloadFailed.Store(err != nil)
	if err != nil {
		a.log.Error("the settings were not reloaded, and stay as they are", "event", "reload-failed", "error", err)
		return changed, err
	}
	for _, warning := range next.unknownVariables() {
		a.log.Warn(warning, "event", "variable-unknown")
	}
	applied, restart := a.reloader.changes(next.flags)
	a.reloadedAt.Store(time.Now().Unix())
	a.stopping = next.stop
	setLevel(a.reloader.level, next.log.level)
	a.log.Info("reloaded", "event", "reload", "changed", strings.Join(applied, ","))
	if len(restart) > 0 {
		a.log.Warn("some settings change with a restart only, and stay as they are",
			"event", "restart-needed", "settings", strings.Join(restart, ","))
	}
	return admin.Reloaded{Applied: named(applied), Restart: named(restart)}, nil
}

// named returns names, or an empty list for nil, which in JSON is [] instead of null.
func named(names []string) []string { return append([]string{}, names...) }
