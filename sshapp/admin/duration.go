package admin

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// maxDuration bounds what is added to the time of today.
const maxDuration = 100 * 365 * 24 * time.Hour

// duration is the value of a flag: a time as Go writes it, which may begin with days. One that is set is more than
// zero.
type duration time.Duration

// Set implements pflag.Value.
func (d *duration) Set(text string) error {
	total, rest := time.Duration(0), text
	if days, behind, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return errDuration
		}
		total, rest = time.Duration(n)*24*time.Hour, behind
	}
	if rest != "" || text == "" {
		part, err := time.ParseDuration(rest)
		if err != nil || part < 0 {
			return errDuration
		}
		total += min(part, maxDuration)
	}
	if total <= 0 || total > maxDuration {
		return errDuration
	}
	*d = duration(total)
	return nil
}

var errDuration = errors.New("it takes a time such as 90s, 24h, 7d or 1d12h")

// String implements pflag.Value.
func (d *duration) String() string { return time.Duration(*d).String() }

// Type implements pflag.Value.
func (d *duration) Type() string { return "time" }
