package garbage

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"notakto/internal/testkit"
)

func TestGarbageIsLimitedByWhatIsInUse(t *testing.T) {
	t.Setenv("GOGC", "")
	adjust(setting{roomy: 16 << 20})
	awaits(t, roomyPercent)
	many := make([][]byte, 0, 1000)
	for range 1000 {
		many = append(many, make([]byte, 32<<10))
	}
	awaits(t, tightPercent)
	runtime.KeepAlive(many)
	awaits(t, roomyPercent)
}

func TestAnExplicitSettingIsKept(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	t.Setenv("GOGC", "70")
	Limit()
	if now := limit(); now != 70 {
		t.Errorf("the limit is %d %%", now)
	}
}

// A server in a small container must not take the memory of the machine for its own.
func TestMemoryIsThatOfTheSmallestGroup(t *testing.T) {
	root := t.TempDir()
	if got := memory(root); got != fewBytes {
		t.Errorf("without files the memory is %d", got)
	}
	for _, step := range []struct {
		file, text string
		want       uint64
	}{
		{"proc/meminfo", "MemTotal:       24000000 kB\nMemFree: 1 kB\n", 24000000 << 10},
		{"proc/self/cgroup", "0::/system.slice/notakto.service\n", 24000000 << 10},
		{"sys/fs/cgroup/system.slice/notakto.service/memory.max", "max\n", 24000000 << 10},
		{"sys/fs/cgroup/system.slice/memory.max", "536870912\n", 512 << 20},
		{"sys/fs/cgroup/memory.max", "268435456\n", 256 << 20},
	} {
		name := filepath.Join(root, step.file)
		testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o700))
		testkit.OK(t, os.WriteFile(name, []byte(step.text), 0o600))
		if got := memory(root); got != step.want {
			t.Errorf("with %s the memory is %d, want %d", step.file, got, step.want)
		}
	}
}

// awaits collects until the limit is want percent. The runtime adjusts the limit in a goroutine of its own.
func awaits(t *testing.T, want int) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		if limit() == want {
			return
		}
	}
	t.Errorf("the limit is %d %%, want %d", limit(), want)
}

// limit only reads GOGC, because the goroutine that sets it may run at the same time.
func limit() int {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(now)
	return int(now[0].Value.Uint64())
}
