package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/chaos/load"
	"notakto/internal/interrupt"
)

// scenario describes the servers of a run, and the faults that are made again and again.
type scenario struct {
	name, about string
	engine      engine
	servers     int
	onDisk      bool // what the engine stores is on a file system of its own
	fault
	usual func(*options) // changes the default options
}

// engine is where the servers store matches.
type engine uint8

const (
	sqlite   engine = iota
	postgres        // of one database server
	standby         // of two, of which one is the synchronous standby of the other
)

// fault is something that is done to a server, or to the database of all, and undone after a while.
type fault struct {
	begin, end func(context.Context, *stage, *server) error
	begun      string        // note of the record
	isOut      bool          // while it lasts no server can record
	others     time.Duration // how long players of other servers may wait while it lasts; 0 is no limit
	after      time.Duration // how long any player may wait when it is over; 0 is no limit
}

// onLimit is the longest wait of a player once the cause of a fault is gone.
const onLimit = 5 * time.Second

// scenarios returns all scenarios. Those on PostgreSQL need Linux and its programs.
func scenarios() []scenario {
	killed := fault{begin: kill, end: start, begun: "killed"}
	oneKilled := fault{begin: kill, end: start, begun: "killed", others: onLimit, after: onLimit}
	away := fault{begin: stopDatabase, end: startDatabase, begun: "database-stopped", isOut: true, after: onLimit}
	return []scenario{
		{
			"kill", "SQLite: the server is killed at random instants and started again", sqlite, 1, false, killed,
			func(o *options) { o.kills, o.think = 1000, 0 },
		},
		{
			"begin", "SQLite: as kill, while matches are being made; no player may stay alone at a table", sqlite, 1, false,
			killed, func(o *options) {
				o.players, o.kills, o.think, o.style = 40, 200, time.Millisecond, load.Hasty
			},
		},
		{
			"power", "SQLite: the power of the machine is cut at random instants; only root on Linux can", sqlite, 1, true,
			fault{begin: cutPower, end: start, begun: "powerless"}, func(o *options) { o.kills, o.think = 100, 0 },
		},
		{
			"full", "SQLite: the disk is full for a while; only root on Linux can", sqlite, 1, true,
			fault{begin: fill, end: free, begun: "disk-full", isOut: true, after: onLimit}, nil,
		},
		{
			"restart", "SQLite: the server is stopped in good order and started again", sqlite, 1, false,
			fault{begin: terminate, end: start, begun: "stopped", after: onLimit},
			func(o *options) { o.kills, o.every, o.lasting = 10, 6*time.Second, 0 },
		},
		{"server", "PostgreSQL, two servers: each is killed in turn and started again", postgres, 2, false, oneKilled, nil},
		{
			"drain", "PostgreSQL, two servers: each is restarted in turn after its matches have ended, with -next as another\n" +
				"            version", postgres, 2, false, fault{begin: drain, end: next, begun: "drained", after: onLimit},
			func(o *options) { o.kills, o.every, o.lasting = 2, 6*time.Second, 0 },
		},
		{
			"crash", "PostgreSQL, two servers: the database is stopped at once and started again", postgres, 2, false, away,
			func(o *options) { o.kills, o.lasting = 5, 0 },
		},
		{
			"away", "PostgreSQL, two servers: the database is stopped for a minute", postgres, 2, false, away,
			func(o *options) { o.kills, o.lasting = 2, time.Minute },
		},
		{
			"cut", "PostgreSQL, two servers: packets between one and the database are lost, of both ways or of one;\n" +
				"            only root can", postgres, 2, false,
			fault{begin: cutOff, end: join, begun: "cut", others: onLimit, after: onLimit},
			func(o *options) { o.kills, o.lasting = 6, 15*time.Second },
		},
		{
			"failover", "PostgreSQL, two servers: the primary is killed and its synchronous standby promoted", standby, 2, false,
			fault{begin: stopDatabase, end: promote, begun: "primary-killed", isOut: true, after: onLimit}, nil,
		},
		{
			"freeze", "PostgreSQL, two servers: each is stopped inside a transaction in turn, and goes on where it was",
			postgres, 2, false, fault{begin: freezeInside, end: thaw, begun: "frozen", others: onLimit, after: onLimit}, nil,
		},
		{
			"clocks", "PostgreSQL, two servers whose clocks are an hour apart: each is killed in turn and started again",
			postgres, 2, false, oneKilled, nil,
		},
		{
			"dbfull", "PostgreSQL, two servers: the disk of the database is full for a while; only root can", postgres, 2, true,
			fault{begin: fill, end: freeDatabase, begun: "disk-full", isOut: true, after: onLimit}, nil,
		},
	}
}

// harm makes the faults, as often as the options say. It returns with every server running.
func (s *stage) harm(ctx context.Context) error {
	for s.harms < s.kills {
		victim := s.servers[s.harms%len(s.servers)]
		if err := s.instant(ctx, victim); err != nil {
			return err
		}
		s.harms++
		if s.harms%100 == 0 {
			fmt.Fprintf(s.out, "%d faults\n", s.harms)
		}
		select {
		case <-s.load.Back(): // welcomed before
		default:
		}
		f := s.scenario.fault
		if s.scenario.engine == standby {
			if err := s.cluster.follow(ctx); err != nil {
				return err
			}
		}
		mark := history.Entry{What: history.Done, Note: f.begun, Out: f.isOut, Limit: f.others}
		if !f.isOut {
			mark.Who, mark.Note = victim.name, f.begun+" "+victim.name
		}
		if f.isOut { // what is recorded before the database has stopped counts for the limit before
			s.book.Add(mark)
		}
		if err := f.begin(ctx, s, victim); err != nil {
			return err
		}
		if !f.isOut {
			s.book.Add(mark)
		}
		if err := errors.Join(interrupt.Pause(ctx, s.lasting), f.end(ctx, s, victim)); err != nil {
			return err
		}
		s.book.Add(history.Entry{What: history.Done, Note: f.begun + "-over", Limit: f.after})
	}
	for _, server := range s.servers {
		if err := server.reachable(ctx); err != nil {
			return err
		}
	}
	return interrupt.Pause(ctx, max(s.every, longestLoad))
}

const (
	early        = 10                    // percentage of the faults that do not wait for players
	shortestLoad = 20 * time.Millisecond // from the first player back to the fault
	longestLoad  = 300 * time.Millisecond
	longestStart = 150 * time.Millisecond // from the start to a fault that does not wait for players
)

// instant waits for the time of the next fault.
func (s *stage) instant(ctx context.Context, victim *server) error {
	switch {
	case s.every > 0:
		return interrupt.Pause(ctx, s.every)
	case s.rng.IntN(100) < early:
		return interrupt.Pause(ctx, time.Duration(s.rng.Int64N(int64(longestStart))))
	}
	if err := s.back(ctx, victim); err != nil {
		return err
	}
	return interrupt.Pause(ctx, shortestLoad+time.Duration(s.rng.Int64N(int64(longestLoad-shortestLoad))))
}

func kill(_ context.Context, _ *stage, victim *server) error { return victim.end(syscall.SIGKILL) }

func terminate(_ context.Context, _ *stage, victim *server) error { return victim.end(syscall.SIGTERM) }

// start starts a server again, and checks its database first if that is its own. Where time passes between faults, it
// waits until the server is ready.
func start(ctx context.Context, s *stage, victim *server) error {
	if s.scenario.engine == sqlite {
		if err := s.command(ctx, "check", victim); err != nil {
			return err
		}
	}
	if err := victim.start(); err != nil || s.every == 0 {
		return err
	}
	return victim.reachable(ctx)
}

const (
	lingering     = 30 // of 100 cuts: the server goes on without a disk
	longestLinger = 8 * time.Second
)

// cutPower ends the disk and then its server. The server stands still first: of a sync that is under way, Linux may say
// that it was done. At some cuts the server goes on without a disk, and must not acknowledge what it cannot sync. A
// server that was starting may then end by itself: it cannot read its database.
func cutPower(ctx context.Context, s *stage, victim *server) error {
	err := errors.Join(stopProcess(victim.cmd.Process), s.disk.cut())
	if s.rng.IntN(100) < lingering {
		err = errors.Join(err, victim.cmd.Process.Signal(syscall.SIGCONT),
			interrupt.Pause(ctx, time.Duration(s.rng.Int64N(int64(longestLinger)))))
	}
	if !victim.hasFailedToStart() {
		err = errors.Join(err, victim.end(syscall.SIGKILL))
	}
	return errors.Join(err, s.disk.restore())
}

func fill(_ context.Context, s *stage, _ *server) error { return s.disk.fill() }

func free(_ context.Context, s *stage, _ *server) error { return s.disk.free() }

// freeDatabase starts the database again if it has ended: PostgreSQL does where its log has no room.
func freeDatabase(ctx context.Context, s *stage, _ *server) error {
	if err := s.disk.free(); err != nil {
		return err
	}
	return s.cluster.revive(ctx)
}

func stopDatabase(ctx context.Context, s *stage, _ *server) error { return s.cluster.stop(ctx) }

func startDatabase(ctx context.Context, s *stage, _ *server) error { return s.cluster.start(ctx) }

func promote(ctx context.Context, s *stage, _ *server) error { return s.cluster.promote(ctx) }

// cutOff drops the packets between a server and the database: first of both ways, then those from the database, then
// those to it.
func cutOff(_ context.Context, s *stage, victim *server) error {
	if way := (s.harms - 1) / len(s.servers) % 3; way > 0 {
		return s.cluster.drop(victim.number, []string{"-s", "-d"}[way-1])
	}
	return errors.Join(s.cluster.drop(victim.number, "-s"), s.cluster.drop(victim.number, "-d"))
}

func join(_ context.Context, s *stage, _ *server) error { return s.cluster.join() }

var errOutside = errors.New("the server was in no transaction at any of the instants at which it was stopped")

// freezeInside stops a server's process while its transaction is open.
func freezeInside(ctx context.Context, s *stage, victim *server) error {
	for range 200 {
		if err := stopProcess(victim.cmd.Process); err != nil {
			return err
		}
		if isInside, err := s.cluster.isInTransaction(ctx, victim.number); isInside || err != nil {
			return err
		}
		err := errors.Join(victim.cmd.Process.Signal(syscall.SIGCONT),
			interrupt.Pause(ctx, time.Duration(s.rng.Int64N(int64(longestLoad)))))
		if err != nil {
			return err
		}
	}
	return errOutside
}

func thaw(_ context.Context, _ *stage, victim *server) error {
	return victim.cmd.Process.Signal(syscall.SIGCONT)
}

// matchesEnd is the time that the matches of a server may take to end.
const matchesEnd = 2 * time.Minute

// drain lets the matches of a server end, while new connections go to others, as a balancer does that asks whether a
// server is ready.
func drain(ctx context.Context, s *stage, victim *server) error {
	s.drained.Store(victim)
	order := exec.CommandContext(ctx, s.binary, "admin", "--data", victim.data, "drain", "--within", "5m")
	if out, err := order.CombinedOutput(); err != nil {
		return fmt.Errorf("drain %s: %w\n%s", victim.name, err, out)
	}
	begun := time.Now()
	select {
	case <-victim.gone:
	case <-time.After(matchesEnd):
		return fmt.Errorf("%w %s still drains after %v:\n%s", errServer, victim.name, matchesEnd, victim.tail())
	case <-ctx.Done():
		return ctx.Err()
	}
	if status := victim.cmd.ProcessState.ExitCode(); status != 0 {
		return fmt.Errorf("%w %s ends with status %d:\n%s", errServer, victim.name, status, victim.tail())
	}
	fmt.Fprintf(s.out, "  %-34s %v\n", victim.name+" has drained in", time.Since(begun).Round(time.Millisecond))
	return nil
}

// next starts a drained server, as the next version if the options have one.
func next(ctx context.Context, s *stage, victim *server) error {
	if s.next != "" {
		victim.binary = s.next
	}
	defer s.drained.Store(nil)
	return start(ctx, s, victim)
}

// find returns the scenario of a name.
func find(name string) (scenario, bool) {
	all := scenarios()
	i := slices.IndexFunc(all, func(sc scenario) bool { return sc.name == name })
	if i < 0 {
		return scenario{}, false
	}
	return all[i], true
}
