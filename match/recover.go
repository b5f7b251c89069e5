package match

import (
	"log/slog"
	"runtime/debug"
)

// RecoverPanic calls do, and recovers and logs a panic, so that it does not end the process with every other match.
func RecoverPanic(log *slog.Logger, what string, do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			log.Error("panic contained", "event", "panic", "in", what, "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	do()
}
