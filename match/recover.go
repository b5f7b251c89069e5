package match

import (
	"log/slog"
	"runtime/debug"
)

// RecoverPanic runs do, and logs a panic. It keeps a panic from ending the process and with it every other match.
func RecoverPanic(log *slog.Logger, what string, do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			log.Error("panic contained", "in", what, "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	do()
}
