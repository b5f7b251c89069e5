package natsd

import (
	"errors"
	"strings"
	"testing"
)

// Version 2.10 records matches, but cannot read archived ones.
func TestAnOldNatsIsRefused(t *testing.T) {
	for version, fit := range map[string]bool{
		"2.11.0": true, "2.11.17": true, "2.15.2": true, "3.0.0-RC.1": true, "2.10.27": false, "1.4.1": false,
		"": false, "new": false,
	} {
		err := checkVersion(version)
		if (err == nil) != fit || err != nil && (!errors.Is(err, ErrUnfit) ||
			!strings.Contains(err.Error(), "2.11 or newer")) {
			t.Errorf("version %q: %v", version, err)
		}
	}
}
