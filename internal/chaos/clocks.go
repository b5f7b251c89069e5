package main

import "notakto/internal/overlay"

// clockVariable names the environment variable by which the changed program shifts its clock, in seconds.
const clockVariable = "FAULTS_CLOCK"

// clockChanges shift a program's wall clock by the variable. Measured durations do not change.
var clockChanges = [...]overlay.Change{
	{File: "time/time.go", From: "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {",
		To: "\tsec, nsec, mono := runtimeNow()\n\tsec += clockShift\n\tif mono == 0 {"},
	{File: "time/zoneinfo_unix.go", From: "var platformZoneSources",
		To: "var clockShift = func() int64 {\n\ttext, _ := syscall.Getenv(\"" + clockVariable +
			"\")\n\tn, _ := atoi(text)\n\treturn int64(n)\n}()\n\nvar platformZoneSources"},
}
