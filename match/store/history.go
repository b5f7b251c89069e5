package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/strategy"
)

// History holds the results of finished matches: lists, totals and ratings of players, and the results that a player
// has not seen yet. The transaction that ends a match writes them. Lists and totals leave out matches that were never
// played (void, or closed before they began) and matches played on from a review. Guests and computers have no history.
// History is safe for concurrent use, but not by subscribers.
type History struct {
	store   *Store
	ladders ladders
	shown   atomic.Pointer[func(match.Player) match.Player]
}

// History returns the history and the ratings.
func (s *Store) History() *History { return &s.history }

// Show sets the function that returns a player as others see that player. shown must not block. Without it the history
// names players as they were recorded.
func (h *History) Show(shown func(match.Player) match.Player) { h.shown.Store(&shown) }

func (h *History) asShown(p match.Player) match.Player {
	if shown := h.shown.Load(); shown != nil {
		return (*shown)(p)
	}
	return p
}

// Version returns a number that grows when a match ends on any server, when a match is imported, and with
// [Store.Rebuild]. [History.See] does not change it.
func (h *History) Version() uint64 {
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	return h.store.memory.ended
}

// isFinished reports whether a match has a row in table finished: it began and is over, and it either is void or was
// not played on from a review.
func isFinished(s *match.State) bool {
	return s.Started() && s.Outcome.Over() && (s.Outcome.IsVoid() || s.Origin != match.ReviewOrigin)
}

// counts reports whether a finished match is in the lists and sums of its players.
func counts(s *match.State) bool { return isFinished(s) && !s.Outcome.IsVoid() }

// The statements that write a match to the history. A group writes each row of player and pairing once, because
// PostgreSQL cannot change a row twice in one statement.
const (
	insertFinished statement = `INSERT INTO finished SELECT position, match, variant, clock, private, first, first_name,
		second, second_name, winner, reason, plies, ended, pool FROM {position bigint, match text, variant text,
		clock text, private bigint, first text, first_name text, second text, second_name text, winner bigint,
		reason text, plies bigint, ended bigint, pool bigint}`
	insertPlayed statement = `INSERT INTO played SELECT player, position, side FROM {player text, position bigint,
		side bigint}`
	insertUnseen statement = `INSERT INTO unseen SELECT player, position, side FROM {player text, position bigint,
		side bigint} WHERE true ON CONFLICT DO NOTHING`
	deleteUnseen statement = `DELETE FROM unseen WHERE (player, position) IN (SELECT r.player, f.position
		FROM {player text, match text} JOIN finished f ON f.match = r.match)`
	addToPlayer statement = `INSERT INTO player SELECT player, matches, won, lost, chances, kept FROM {player text,
		matches bigint, won bigint, lost bigint, chances bigint, kept bigint} WHERE true
		ON CONFLICT (player) DO UPDATE SET matches = player.matches + excluded.matches, won = player.won + excluded.won,
		lost = player.lost + excluded.lost, chances = player.chances + excluded.chances, kept = player.kept + excluded.kept`
	addToPairing statement = `INSERT INTO pairing SELECT player, opponent, matches, won, lost FROM {player text,
		opponent text, matches bigint, won bigint, lost bigint} WHERE true
		ON CONFLICT (player, opponent) DO UPDATE SET matches = pairing.matches + excluded.matches,
		won = pairing.won + excluded.won, lost = pairing.lost + excluded.lost`
)

// dropOldUnseen deletes all but the newest [history.MaxUnseen] unseen results of a player.
const dropOldUnseen statement = `DELETE FROM unseen WHERE player IN (SELECT r.player FROM {player text})
	AND position <= (SELECT u.position FROM unseen u WHERE u.player = unseen.player
	ORDER BY u.position DESC LIMIT 1 OFFSET 20)`

// results collects what the matches that end in a group add to the history.
type results struct {
	players  map[match.PlayerID]history.Totals
	pairings map[[2]match.PlayerID]history.Totals
	rated    []ratingKey        // the standings that have changed; one may be there several times
	met      []meetingKey       // the meetings that have changed; one may be there several times
	after    []history.Standing // the new standings, for the ladders
}

// add adds a match whose last event is at a position.
func (r *results) add(g *group, s *match.State, reviews []strategy.MoveReview, position int64) {
	first, second := s.SeatState(rules.First).Player, s.SeatState(rules.Second).Player
	g.batch.add(insertFinished, position, string(s.ID), s.Variant.String(), s.Clock.String(),
		bit(s.Origin == match.PrivateOrigin), string(first.ID), first.Name, string(second.ID), second.Name,
		int64(s.Outcome.Winner), s.Outcome.Reason.String(), int64(len(s.Moves)), s.EndedAt.UnixMicro(), int64(s.Pool))
	if !counts(s) {
		return
	}
	if s.IsPairOver() {
		r.addPair(g, s, position)
	}
	for _, side := range rules.Sides() {
		if p := s.SeatState(side).Player; !p.Guest && !p.IsComputer() {
			r.addPlayer(g, s, side, reviews, position)
		}
	}
}

// addUnseen adds a match that ends at a position to the unseen results of its players who are away and have an account.
func addUnseen(g *group, s *match.State, position int64) {
	for _, side := range rules.Sides() {
		if seat := s.SeatState(side); !seat.Present && !seat.Player.Guest && !seat.Player.IsComputer() {
			g.batch.add(insertUnseen, string(seat.Player.ID), position, int64(side))
			g.batch.add(dropOldUnseen, string(seat.Player.ID))
		}
	}
}

func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// addPlayer adds a match to the list and the totals of one of its players.
func (r *results) addPlayer(
	g *group, s *match.State, side rules.Side, reviews []strategy.MoveReview, position int64,
) {
	p, opponent := s.SeatState(side).Player.ID, s.SeatState(side.Other()).Player.ID
	t := history.Totals{Matches: 1}
	switch s.Outcome.Winner {
	case side:
		t.Won = 1
	case side.Other():
		t.Lost = 1
	}
	if r.players == nil {
		r.players = make(map[match.PlayerID]history.Totals)
		r.pairings = make(map[[2]match.PlayerID]history.Totals)
	}
	between := [2]match.PlayerID{p, opponent}
	r.pairings[between] = sum(r.pairings[between], t)
	for _, m := range reviews {
		if m.Side == side && m.Before == strategy.Win {
			t.Chances++
			if m.After == strategy.Win {
				t.Kept++
			}
		}
	}
	r.players[p] = sum(r.players[p], t)
	if opponent == p && side == rules.Second {
		return // the list of a player on both sides has the match once
	}
	g.batch.add(insertPlayed, string(p), position, int64(side))
}

func sum(a, b history.Totals) history.Totals {
	return history.Totals{
		Matches: a.Matches + b.Matches, Won: a.Won + b.Won, Lost: a.Lost + b.Lost,
		Chances: a.Chances + b.Chances, Kept: a.Kept + b.Kept,
	}
}

// write adds the totals and ratings of all matches to the batch of a group.
func (r *results) write(g *group) {
	for p, t := range r.players {
		g.batch.add(addToPlayer, string(p), int64(t.Matches), int64(t.Won), int64(t.Lost), int64(t.Chances), int64(t.Kept))
	}
	for between, t := range r.pairings {
		g.batch.add(addToPairing, string(between[0]), string(between[1]), int64(t.Matches), int64(t.Won), int64(t.Lost))
	}
	r.writeRatings(g)
}

// List returns the matches of p, newest first: at most limit, and at most [history.MaxPage]. before is the position of
// an entry after which the list continues, or 0 for the newest. Only p should see matches of private tables.
func (h *History) List(ctx context.Context, p match.PlayerID, before uint64, limit int,
	withPrivate bool) (all []history.Entry, err error) {
	end := int64(before)
	if before == 0 {
		end = 1 << 62 // behind all entries
	}
	return h.entries(ctx, `played p JOIN finished f ON f.position = p.position
		WHERE p.player = $1 AND p.position < $2 AND f.private <= $3 ORDER BY p.position DESC LIMIT $4`,
		string(p), end, bit(withPrivate), page(limit))
}

// Unseen returns the matches that ended while a player was away, until [History.See] is called for them: newest first,
// with void ones, at most [history.MaxUnseen].
func (h *History) Unseen(ctx context.Context, p match.PlayerID) ([]history.Entry, error) {
	return h.entries(ctx, `unseen p JOIN finished f ON f.position = p.position
		WHERE p.player = $1 ORDER BY p.position DESC`, string(p))
}

// See records that a player has seen the results of matches. Of an entry it uses only the match ID. Its errors wrap
// [match.ErrUnavailable].
func (h *History) See(ctx context.Context, p match.PlayerID, results ...history.Entry) error {
	if len(results) == 0 {
		return nil
	}
	return h.store.do(ctx, &request{decide: func(g *group) error {
		for _, e := range results {
			g.batch.add(deleteUnseen, string(p), string(e.Match))
		}
		return nil
	}})
}

// entries reads matches from the tables p (played or unseen) and f (finished).
func (h *History) entries(ctx context.Context, from string, args ...any) (all []history.Entry, err error) {
	err = h.each(ctx, `SELECT f.position, f.match, f.variant, f.clock, p.side, f.first, f.first_name, f.second,
		f.second_name, f.winner, f.reason, f.plies, f.ended, f.pool FROM `+from, args, func(scan scan) error {
		var e history.Entry
		var variant, clock string
		var players [2]match.Player
		var ended int64
		err := scan(&e.Number, &e.Match, &variant, &clock, &e.Side, &players[0].ID, &players[0].Name, &players[1].ID,
			&players[1].Name, &e.Winner, &e.Reason, &e.Plies, &ended, &e.Pool)
		if err != nil {
			return err
		}
		e.Opponent, e.Ended = h.asShown(players[e.Side.Other()-1]), time.UnixMicro(ended)
		if e.Variant, err = rules.ParseVariant(variant); err == nil {
			e.Clock, err = match.ParseClock(clock)
		}
		all = append(all, e)
		return err
	})
	return all, err
}

// Named returns at most ten players who had a name in a finished match, or whose ID is the name. It also finds players
// without an account.
func (h *History) Named(ctx context.Context, name string) (all []match.PlayerID, err error) {
	return h.players(ctx, `SELECT DISTINCT p.player FROM played p JOIN finished f ON f.position = p.position
		WHERE p.player = $1 OR (p.side = 1 AND f.first_name = $1) OR (p.side = 2 AND f.second_name = $1) LIMIT 10`, name)
}

// Totals returns the totals of a player's matches; zero without a finished match.
func (h *History) Totals(ctx context.Context, p match.PlayerID) (t history.Totals, err error) {
	return t, h.one(ctx, `SELECT matches, won, lost, chances, kept FROM player WHERE player = $1`, []any{string(p)},
		&t.Matches, &t.Won, &t.Lost, &t.Chances, &t.Kept)
}

// Against returns the totals of a player's matches against one opponent, without chances.
func (h *History) Against(ctx context.Context, p, opponent match.PlayerID) (t history.Totals, err error) {
	return t, h.one(ctx, `SELECT matches, won, lost FROM pairing WHERE player = $1 AND opponent = $2`,
		[]any{string(p), string(opponent)}, &t.Matches, &t.Won, &t.Lost)
}

// BeatenComputers returns the computer players that a player has beaten.
func (h *History) BeatenComputers(ctx context.Context, p match.PlayerID) ([]match.PlayerID, error) {
	return h.players(ctx, `SELECT opponent FROM pairing
		WHERE player = $1 AND opponent >= 'computer:' AND opponent < 'computer;' AND won > 0`, string(p))
}

func page(limit int) int64 { return int64(max(0, min(limit, history.MaxPage))) }

func (h *History) each(ctx context.Context, query string, args []any, fn func(scan) error) error {
	err := h.store.read(ctx, func(db querier) error { return each(ctx, db, query, args, fn) })
	return wrapHistory(err)
}

// one reads the only row of a query. Without a row, into stays as it is.
func (h *History) one(ctx context.Context, query string, args []any, into ...any) error {
	err := h.store.read(ctx, func(db querier) error { return db.QueryRowContext(ctx, query, args...).Scan(into...) })
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return wrapHistory(err)
}

func wrapHistory(err error) error {
	if err != nil {
		return fmt.Errorf("read the history: %w", err)
	}
	return nil
}

func (h *History) players(ctx context.Context, query string, args ...any) (all []match.PlayerID, err error) {
	err = h.each(ctx, query, args, func(scan scan) error {
		var p match.PlayerID
		err := scan(&p)
		all = append(all, p)
		return err
	})
	return all, err
}
