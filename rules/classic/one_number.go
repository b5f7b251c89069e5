package classic

import (
	"math"
	"regexp"
	"strconv"
)

const invalidInput = "Invalid input, please enter again."

// leadingNumber matches the number that a line begins with, as C's scanf reads a decimal one: 1ASD, 2.000, +1 and 1e0
// begin with a number and 1ex with 1. Unlike scanf it knows no hexadecimal numbers, no infinity and no NaN.
func leadingNumber() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
}

// number waits for a line that begins with a whole number in range.
func (o *one) number(low, high int) (int, error) {
	for {
		line, err := o.reply()
		if err != nil {
			return 0, err
		}
		number, err := strconv.ParseFloat(o.leading.FindString(line), 64)
		if err == nil && float64(low) <= number && number <= float64(high) && number == math.Trunc(number) {
			return int(number), nil
		}
		o.say(invalidInput)
	}
}
