package journal

import (
	"fmt"
	"log/slog"
	"strings"
)

// voice forwards what an embedded server has to say. Its notices are about its own housekeeping and go to the debug level.
type voice struct {
	log *slog.Logger
	// unwritten is called when the server says that it could not write a message: it tells nobody else.
	unwritten func()
}

func (v voice) Noticef(format string, args ...any) { v.log.Debug(fmt.Sprintf(format, args...)) }
func (v voice) Debugf(string, ...any)              {}
func (v voice) Tracef(string, ...any)              {}
func (v voice) Warnf(format string, args ...any)   { v.log.Warn(fmt.Sprintf(format, args...)) }
func (v voice) Fatalf(format string, args ...any)  { v.log.Error(fmt.Sprintf(format, args...)) }

func (v voice) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	v.log.Error(text)
	if v.unwritten != nil && strings.Contains(text, "failed to store") {
		v.unwritten()
	}
}
