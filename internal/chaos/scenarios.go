package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/match"
)

// scenario describes the servers of a run and the fault that harm repeats.
type scenario struct {
	name, about string
	engine      engine
	onDisk      bool                                       // the store is on a disk of its own
	begin, end  func(context.Context, *stage, *node) error // harm a server or the database, and undo that after lasting
	isOut       bool                                       // during the fault no server can record events
	others      time.Duration                              // longest time without a move elsewhere during the fault
	after       time.Duration                              // longest time without a move after it, 0 for no limit

	players, kills int // 0 for the usual number
	every, lasting time.Duration
	isHurried      bool // the bots do not think
	resigns        int  // of 1,000 moves
}

// engine is the kind of store that the servers use.
type engine uint8

const (
	sqlite   engine = iota // one server
	postgres               // two servers, a primary alone
	standby                // two servers, a primary with a synchronous standby
)

// limit is the longest time that a busy server may go without a move, beside a fault and after one.
const limit = 5 * time.Second

// scenarios returns all scenarios. Those with PostgreSQL need Linux and an installed PostgreSQL.
func scenarios() []scenario {
	const s = time.Second
	return []scenario{
		{name: "kill", about: "SQLite: the server is killed at random instants and started again",
			begin: kill, end: start, kills: 1000, isHurried: true, resigns: 5},
		{name: "begin", about: "SQLite: as kill, while matches are being made; no player may stay alone at a table",
			begin: kill, end: start, kills: 200, players: 40, isHurried: true, resigns: 250},
		{name: "power", about: "SQLite: the power of the machine is cut at random instants; only root on Linux can",
			onDisk: true, begin: cutPower, end: start, kills: 100, isHurried: true, resigns: 5},
		{name: "full", about: "SQLite: the disk is full for a while; only root on Linux can",
			onDisk: true, begin: fill, end: free, isOut: true, after: limit, every: 8 * s, lasting: 20 * s},
		{name: "restart", about: "SQLite: the server is stopped in good order and started again",
			begin: terminate, end: start, after: limit, kills: 10, every: 6 * s},
		{name: "server", about: "PostgreSQL, two servers: each is killed in turn and started again",
			engine: postgres, begin: kill, end: start, others: limit, after: limit, every: 8 * s, lasting: 20 * s},
		{name: "clocks", about: "PostgreSQL, two servers whose clocks are an hour apart: each is killed in turn",
			engine: postgres, begin: kill, end: start, others: limit, after: limit, every: 8 * s, lasting: 20 * s},
		{name: "freeze", about: "PostgreSQL, two servers: each is stopped inside a transaction in turn, and goes on",
			engine: postgres, begin: freezeInside, end: thaw, others: limit,
			after: limit, every: 8 * s, lasting: 20 * s},
		{name: "cut", about: "PostgreSQL, two servers: packets between one and the database are lost, of both\n" +
			"            ways or of one; only root can",
			engine: postgres, begin: cutOff, end: join, others: limit, after: limit,
			kills: 6, every: 8 * s, lasting: 15 * s},
		{name: "drain", about: "PostgreSQL, two servers: each is restarted in turn after its matches have ended;\n" +
			"            -next names another version",
			engine: postgres, begin: drain, end: next, after: limit, kills: 2, every: 6 * s},
		{name: "crash", about: "PostgreSQL, two servers: the database is stopped at once and started again",
			engine: postgres, begin: stopDatabase, end: startDatabase, isOut: true, after: limit,
			kills: 5, every: 8 * s},
		{name: "away", about: "PostgreSQL, two servers: the database is stopped for a minute",
			engine: postgres, begin: stopDatabase, end: startDatabase, isOut: true, after: limit,
			kills: 2, every: 8 * s, lasting: 60 * s},
		{name: "failover", about: "PostgreSQL, two servers: the primary is killed and its standby promoted",
			engine: standby, begin: stopDatabase, end: promote, isOut: true,
			after: limit, every: 8 * s, lasting: 20 * s},
		{name: "dbfull", about: "PostgreSQL, two servers: the disk of the database is full; only root can",
			engine: postgres, onDisk: true, begin: fill, end: freeDatabase, isOut: true,
			after: limit, every: 8 * s, lasting: 20 * s},
	}
}

// harm makes the faults in sequence, and returns with every server running.
func (s *stage) harm(ctx context.Context) error {
	for s.harms < s.kills {
		victim := s.nodes[s.harms%len(s.nodes)]
		if err := s.instant(ctx, victim); err != nil {
			return err
		}
		s.harms++
		if s.harms%100 == 0 {
			fmt.Fprintf(s.out, "%d faults\n", s.harms)
		}
		select {
		case <-s.load.Back(): // discard a welcome from before the fault
		default:
		}
		if s.engine == standby {
			if err := s.cluster.follow(ctx); err != nil {
				return err
			}
		}
		// An outage is marked before it begins, because from its first instant no limit holds and no clock is charged.
		// Any other fault is marked once it is made. Until then the limit in force holds for all servers.
		if s.isOut {
			s.book.Mark(history.Mark{What: s.name, Out: true})
		}
		if err := s.begin(ctx, s, victim); err != nil {
			return err
		}
		if !s.isOut {
			s.book.Mark(history.Mark{What: s.name + " " + victim.name, Limit: s.others, Exempt: victim.name})
		}
		if err := errors.Join(match.Sleep(ctx, s.lasting), s.end(ctx, s, victim)); err != nil {
			return err
		}
		s.book.Mark(history.Mark{What: s.name + "-over", Limit: s.after})
	}
	for _, server := range s.nodes {
		if err := server.Ready(ctx); err != nil {
			return err
		}
	}
	return match.Sleep(ctx, max(s.every, longestLoad))
}

const (
	early        = 10                    // percentage of faults made before a player is back
	shortestLoad = 20 * time.Millisecond // from the first player's return to the fault
	longestLoad  = 300 * time.Millisecond
	longestStart = 150 * time.Millisecond // from the start to an early fault
)

// instant waits for the time of the next fault. Without options.every the time is random, and most often a little
// after the first player is back.
func (s *stage) instant(ctx context.Context, victim *node) error {
	switch {
	case s.every > 0:
		return match.Sleep(ctx, s.every)
	case s.rng.IntN(100) < early:
		return match.Sleep(ctx, time.Duration(s.rng.Int64N(int64(longestStart))))
	}
	select {
	case <-s.load.Back():
	case <-victim.Gone():
		return fmt.Errorf("%s has ended by itself", victim.name)
	case <-time.After(time.Minute):
		return errors.New("no player came back within a minute")
	case <-ctx.Done():
		return ctx.Err()
	}
	return match.Sleep(ctx, shortestLoad+time.Duration(s.rng.Int64N(int64(longestLoad-shortestLoad))))
}

func kill(_ context.Context, _ *stage, victim *node) error { return victim.stop(syscall.SIGKILL) }

func terminate(_ context.Context, _ *stage, victim *node) error { return victim.stop(syscall.SIGTERM) }

// start starts a server again, after a check of its database if that is SQLite. If s.every is set, start waits until
// the server is ready. Otherwise the next fault may hit a server that is still starting.
func start(ctx context.Context, s *stage, victim *node) error {
	if s.engine == sqlite {
		if err := s.command(ctx, "check", victim); err != nil {
			return err
		}
	}
	if err := victim.start(); err != nil || s.every == 0 {
		return err
	}
	return victim.Ready(ctx)
}

const (
	lingering     = 30 // percentage of cuts after which the server goes on without a disk
	longestLinger = 8 * time.Second
)

// cutPower stops the server's process, cuts the disk's power and kills the server. The process must stand still
// during the cut, because Linux may report success for a sync that the cut interrupts. After some cuts the server
// goes on without a disk, and must not acknowledge a move that it cannot sync. A server that was starting may then
// end by itself, as it cannot read its database.
func cutPower(ctx context.Context, s *stage, victim *node) error {
	err := errors.Join(freeze(victim), s.disk.cut())
	if s.rng.IntN(100) < lingering {
		err = errors.Join(err, victim.Signal(syscall.SIGCONT),
			match.Sleep(ctx, time.Duration(s.rng.Int64N(int64(longestLinger)))))
	}
	if victim.IsReady() || !victim.HasEnded() {
		err = errors.Join(err, victim.stop(syscall.SIGKILL))
	}
	return errors.Join(err, s.disk.restore())
}

func fill(_ context.Context, s *stage, _ *node) error { return s.disk.fill() }

func free(_ context.Context, s *stage, _ *node) error { return s.disk.free() }

// freeDatabase frees the disk and starts PostgreSQL if needed. PostgreSQL ends itself when its log has no room.
func freeDatabase(ctx context.Context, s *stage, _ *node) error {
	if err := s.disk.free(); err != nil {
		return err
	}
	return s.cluster.revive(ctx)
}

func stopDatabase(ctx context.Context, s *stage, _ *node) error { return s.cluster.stop(ctx) }

func startDatabase(ctx context.Context, s *stage, _ *node) error { return s.cluster.start(ctx) }

func promote(ctx context.Context, s *stage, _ *node) error { return s.cluster.promote(ctx) }

// cutOff drops packets between a server and the database. Successive rounds drop both directions, packets from the
// database only, and packets to it only.
func cutOff(_ context.Context, s *stage, victim *node) error {
	if way := (s.harms - 1) / len(s.nodes) % 3; way > 0 {
		return s.cluster.drop(victim.number, []string{"-s", "-d"}[way-1])
	}
	return errors.Join(s.cluster.drop(victim.number, "-s"), s.cluster.drop(victim.number, "-d"))
}

func join(_ context.Context, s *stage, _ *node) error { return s.cluster.join() }

// freezeInside stops a server's process while its transaction is open.
func freezeInside(ctx context.Context, s *stage, victim *node) error {
	for range 200 {
		if err := freeze(victim); err != nil {
			return err
		}
		if isInside, err := s.cluster.isInTransaction(ctx, victim.number); isInside || err != nil {
			return err
		}
		err := errors.Join(victim.Signal(syscall.SIGCONT),
			match.Sleep(ctx, time.Duration(s.rng.Int64N(int64(longestLoad)))))
		if err != nil {
			return err
		}
	}
	return errors.New("the server was in no transaction at any of the instants at which it was stopped")
}

func thaw(_ context.Context, _ *stage, victim *node) error { return victim.Signal(syscall.SIGCONT) }

// drain makes a server drain and waits for its end. Until next is called, new connections go to other servers, as
// with a balancer that reads the ready status.
func drain(ctx context.Context, s *stage, victim *node) error {
	const matchesEnd = 2 * time.Minute
	s.drained.Store(victim)
	if err := tool(ctx, s.binary, "admin", "--data", victim.data, "drain", "--within", "5m"); err != nil {
		return err
	}
	select {
	case <-victim.Gone():
	case <-time.After(matchesEnd):
		return fmt.Errorf("%s still drains after %v", victim.name, matchesEnd)
	case <-ctx.Done():
		return ctx.Err()
	}
	return victim.endedWell()
}

// next starts a drained server with the program options.next, if it is set.
func next(ctx context.Context, s *stage, victim *node) error {
	if s.next != "" {
		victim.binary = s.next
	}
	defer s.drained.Store(nil)
	return start(ctx, s, victim)
}
