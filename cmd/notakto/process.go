package main

import (
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/sshapp/cli/admin"
)

// askReload asks app.run to reload the settings, and waits for the result. Any goroutine may call askReload. The error
// is errStopping if app.run does not take the request within reloadWithin.
func (a *app) askReload() (admin.Reloaded, error) {
	answer := make(chan reloadAnswer, 1)
	select {
	case a.reloadAsked <- answer:
		got := <-answer
		return got.changed, got.err
	case <-time.After(reloadWithin):
		return admin.Reloaded{}, errStopping
	}
}

var errStopping = errors.New("the server is stopping")

const reloadWithin = 5 * time.Second

type reloadAnswer struct {
	changed admin.Reloaded
	err     error
}

// reloader finds the settings that have changed since the server started or last reloaded.
type reloader struct {
	given  *pflag.FlagSet    // the flags of the command line
	values map[string]string // of the settings in use
	level  *slog.LevelVar
}

// takeChanges returns the names of the settings in next that differ from values. The settings of the first list
// apply now, and takeChanges stores their values. The settings of the second list need a restart.
func (r *reloader) takeChanges(next *pflag.FlagSet) (applied, restart []string) {
	eachSetting(next, func(f *pflag.Flag) {
		switch value := f.Value.String(); {
		case value == r.values[f.Name]:
		case hasAnnotation(f, liveKey):
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
	next, err := readConfiguration(a.reloader.given)
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
	applied, restart := a.reloader.takeChanges(next.flags)
	a.reloadedAt.Store(time.Now().Unix())
	a.stopping = next.stop
	setLevel(a.reloader.level, next.log.level)
	a.log.Info("reloaded", "event", "reload", "changed", strings.Join(applied, ","))
	if len(restart) > 0 {
		a.log.Warn("some changed settings need a restart",
			"event", "restart-needed", "settings", strings.Join(restart, ","))
	}
	return admin.Reloaded{Applied: notNil(applied), Restart: notNil(restart)}, nil
}

// notNil returns an empty list for nil, because clients of the JSON expect [] and not null.
func notNil(names []string) []string { return append([]string{}, names...) }
