package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/strategy"
)

// History holds the results of finished matches as lists, totals and ratings, and the results that a player has not
// seen yet. The transaction that ends a match writes them. Guests and computers have no history.
//
// Lists and totals leave out void matches, matches that closed before they began, and matches that continue a review
// (see [match.ReviewOrigin]). An unseen result may also be a challenge that ended without a match.
//
// A History is safe for concurrent use. Its errors are those of reading, and do not wrap [match.ErrUnavailable].
// Subscribers of the store must not use it, because they run with the store's lock held.
type History struct {
	store   *Store
	ladders ladders
	shown   atomic.Pointer[func(match.Player) match.Player]
	blocks  atomic.Pointer[func(by, other match.PlayerID) bool]
}

// History returns the history and the ratings.
func (s *Store) History() *History { return &s.history }

// SetShown sets the function that returns a player as others see that player. shown must not block. Until SetShown is
// called, the history names players as they were recorded.
func (h *History) SetShown(shown func(match.Player) match.Player) { h.shown.Store(&shown) }

// SetBlocks sets the function that reports whether a player has blocked another one. blocks must not wait. Until
// SetBlocks is called, no player is blocked.
func (h *History) SetBlocks(blocks func(by, other match.PlayerID) bool) { h.blocks.Store(&blocks) }

func (h *History) asShown(p match.Player) match.Player {
	if shown := h.shown.Load(); shown != nil && p.ID != "" {
		return (*shown)(p)
	}
	return p
}

// Version returns a number that grows when a match ends on any server, when a match is imported, and with
// [Store.Rebuild]. [History.MarkSeen] does not change it.
func (h *History) Version() uint64 {
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	return h.store.memory.historyVersion
}

// isFinished reports whether a match has a row in table finished. The match must have begun and be over. isFinished
// accepts a match that continues a review only if the match is void. [History.Unseen] shows void matches and needs
// their rows. Unseen also needs the row of a challenge that ended without a match.
func isFinished(s *match.State) bool {
	if reason, _ := challengeEnd(s); reason != "" {
		return true
	}
	return s.HasStarted() && s.Outcome.IsOver() && (s.Outcome.IsVoid() || s.Origin != match.ReviewOrigin)
}

// isCounted reports whether a match is in the lists and totals of its players.
func isCounted(s *match.State) bool { return s.HasStarted() && isFinished(s) && !s.Outcome.IsVoid() }

// challengeEnd returns the reason why a challenge ended without a match, and the side of the player to tell. The free
// side stands for the invited player. The result is zero if there is no player to tell.
func challengeEnd(s *match.State) (reason string, side rules.Side) {
	switch {
	case s.Origin != match.ChallengeOrigin || !s.Closed:
		return "", rules.NoSide
	case s.IsDeclined:
		return history.Declined, s.VacantSide().Other()
	case !s.EndedAt.Before(s.ExpiresAt()):
		return history.Expired, s.VacantSide().Other()
	case s.Invited.ID != "":
		return history.Withdrawn, s.VacantSide()
	default:
		return "", rules.NoSide
	}
}

// challengeReasons lists the reasons of challengeEnd in SQL.
const challengeReasons = `('` + history.Declined + `', '` + history.Expired + `', '` + history.Withdrawn + `')`

// Statements that write a match to the history. A group writes each row of player and pairing once, because
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
	// dropWithdrawn keeps one withdrawn challenge of each maker, because a maker could fill the list of a player.
	dropWithdrawn statement = `DELETE FROM unseen WHERE (player, position) IN (SELECT u.player, u.position
		FROM {player text, maker text, position bigint} JOIN unseen u ON u.player = r.player AND u.position < r.position
		JOIN finished f ON f.position = u.position AND f.reason = '` + history.Withdrawn + `'
			AND r.maker IN (f.first, f.second))`
	addToPlayer statement = `INSERT INTO player SELECT player, matches, won, lost, chances, kept FROM {player text,
		matches bigint, won bigint, lost bigint, chances bigint, kept bigint} WHERE true
		ON CONFLICT (player) DO UPDATE SET matches = player.matches + excluded.matches, won = player.won + excluded.won,
		lost = player.lost + excluded.lost, chances = player.chances + excluded.chances,
			kept = player.kept + excluded.kept`
	addToPairing statement = `INSERT INTO pairing SELECT player, opponent, matches, won, lost FROM {player text,
		opponent text, matches bigint, won bigint, lost bigint} WHERE true
		ON CONFLICT (player, opponent) DO UPDATE SET matches = pairing.matches + excluded.matches,
		won = pairing.won + excluded.won, lost = pairing.lost + excluded.lost`
)

// dropOldUnseen returns the statement that deletes all but the newest [history.MaxUnseen] unseen results of a player,
// or all but the newest [history.MaxUnseenChallenges] challenges.
func dropOldUnseen(isChallenge bool) statement {
	kind, most := `NOT IN `+challengeReasons, history.MaxUnseen
	if isChallenge {
		kind, most = `IN `+challengeReasons, history.MaxUnseenChallenges
	}
	return statement(fmt.Sprintf(`DELETE FROM unseen WHERE player IN (SELECT r.player FROM {player text})
		AND EXISTS (SELECT 1 FROM finished f WHERE f.position = unseen.position AND f.reason %[1]s)
		AND position <= (SELECT u.position FROM unseen u JOIN finished f ON f.position = u.position
		WHERE u.player = unseen.player AND f.reason %[1]s ORDER BY u.position DESC LIMIT 1 OFFSET %[2]d)`, kind, most))
}

// results collects the additions to the history from the matches that end in a group.
type results struct {
	players         map[match.PlayerID]history.Totals
	pairings        map[[2]match.PlayerID]history.Totals
	changedRatings  []ratingKey        // may have duplicates
	changedMeetings []meetingKey       // may have duplicates
	newStandings    []history.Standing // for the ladders
}

func (r *results) add(g *group, s *match.State, reviews []strategy.MoveReview, position int64) {
	first, second := s.Seat(rules.First).Player, s.Seat(rules.Second).Player
	reason, _ := challengeEnd(s)
	switch {
	case reason == "":
		reason = s.Outcome.Reason.String()
	case s.VacantSide() == rules.First:
		first = s.Invited
	default:
		second = s.Invited
	}
	g.batch.add(insertFinished, position, string(s.ID), s.Variant.String(), s.Clock.String(),
		bit(s.Origin == match.PrivateOrigin), string(first.ID), first.Name, string(second.ID), second.Name,
		int64(s.Outcome.Winner), reason, int64(len(s.Moves)), s.EndedAt.UnixMicro(), int64(s.Pool))
	if !isCounted(s) {
		return
	}
	r.addPair(g, s, position)
	for _, side := range rules.Sides() {
		if p := s.Seat(side).Player; !p.Guest && !p.IsComputer() {
			r.addPlayer(g, s, side, reviews, position)
		}
	}
}

// addUnseen adds a match to the unseen results of players that are away and have an account. A challenge that ended
// without a match is added for the player to tell.
func addUnseen(g *group, s *match.State, position int64) {
	if reason, side := challengeEnd(s); side.IsValid() {
		p := string(cmp.Or(s.Seat(side).Player.ID, s.Invited.ID))
		g.batch.add(insertUnseen, p, position, int64(side))
		if reason == history.Withdrawn {
			g.batch.add(dropWithdrawn, p, string(s.Seat(side.Other()).Player.ID), position)
		}
		g.batch.add(dropOldUnseen(true), p)
		return
	}
	for _, side := range rules.Sides() {
		if seat := s.Seat(side); !seat.Present && !seat.Player.Guest && !seat.Player.IsComputer() {
			g.batch.add(insertUnseen, string(seat.Player.ID), position, int64(side))
			g.batch.add(dropOldUnseen(false), string(seat.Player.ID))
		}
	}
}

func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func (r *results) addPlayer(
	g *group, s *match.State, side rules.Side, reviews []strategy.MoveReview, position int64,
) {
	p, opponent := s.Seat(side).Player.ID, s.Seat(side.Other()).Player.ID
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
	between, against := [2]match.PlayerID{p, opponent}, t
	if s.Hinted && s.IsAgainstComputer() {
		against.Won = 0 // BeatenComputers counts no win with hints
	}
	r.pairings[between] = addTotals(r.pairings[between], against)
	for _, m := range reviews {
		if m.Side == side && m.VerdictBefore == strategy.Win {
			t.Chances++
			if m.VerdictAfter == strategy.Win {
				t.Kept++
			}
		}
	}
	r.players[p] = addTotals(r.players[p], t)
	if opponent == p && side == rules.Second {
		return // the list of a player on both sides has the match once
	}
	g.batch.add(insertPlayed, string(p), position, int64(side))
}

func addTotals(a, b history.Totals) history.Totals {
	return history.Totals{
		Matches: a.Matches + b.Matches, Won: a.Won + b.Won, Lost: a.Lost + b.Lost,
		Chances: a.Chances + b.Chances, Kept: a.Kept + b.Kept,
	}
}

func (r *results) write(g *group) {
	for p, t := range r.players {
		g.batch.add(addToPlayer, string(p), int64(t.Matches), int64(t.Won), int64(t.Lost),
			int64(t.Chances), int64(t.Kept))
	}
	for between, t := range r.pairings {
		g.batch.add(addToPairing, string(between[0]), string(between[1]), int64(t.Matches), int64(t.Won), int64(t.Lost))
	}
	r.writeRatings(g)
}

// List returns matches of p, the newest first, at most limit and at most [history.MaxPage]. Unless endNumber is 0, List
// returns only entries with a Number below endNumber. Pass withPrivate only if p reads the list, because only p may see
// matches of private tables. Without them, List returns only the public ones of the newest maxExamined matches.
func (h *History) List(ctx context.Context, p match.PlayerID, endNumber uint64, limit int,
	withPrivate bool) (all []history.Entry, err error) {
	end := int64(endNumber)
	if endNumber == 0 {
		end = 1 << 62
	}
	return h.queryEntries(ctx, `(SELECT position, side FROM played WHERE player = $1 AND position < $2
		ORDER BY position DESC LIMIT $3) p JOIN finished f ON f.position = p.position
		WHERE f.private <= $4 ORDER BY p.position DESC LIMIT $5`,
		string(p), end, int64(maxExamined), bit(withPrivate), pageSize(limit))
}

// Recent returns matches of all players, the newest first, at most limit and at most [history.MaxPage], as the player
// who moved first has them in the list. Recent leaves out matches that List shows to their players only, void matches,
// and those of guests and computers. It reads only the newest maxExamined matches.
func (h *History) Recent(ctx context.Context, limit int) ([]history.Entry, error) {
	return h.queryEntries(ctx, `(SELECT position, 1 AS side FROM finished ORDER BY position DESC LIMIT $1) p
		JOIN finished f ON f.position = p.position
		WHERE f.private = 0 AND (f.winner <> 0 OR f.reason = '`+rules.ReasonDraw.String()+`')
			AND EXISTS (SELECT 1 FROM played q WHERE q.position = f.position AND q.player = f.first)
			AND EXISTS (SELECT 1 FROM played q WHERE q.position = f.position AND q.player = f.second)
		ORDER BY p.position DESC LIMIT $2`, int64(maxExamined), pageSize(limit))
}

// Unseen returns the results that p has not seen, the newest first, until [History.MarkSeen] is called for them. These
// are the matches that ended while p was away, also void ones, and the challenges that expired or that the other player
// ended. Unseen leaves out a withdrawn challenge if one of the two players has blocked the other.
func (h *History) Unseen(ctx context.Context, p match.PlayerID) ([]history.Entry, error) {
	all, err := h.queryEntries(ctx, `unseen p JOIN finished f ON f.position = p.position
		WHERE p.player = $1 ORDER BY p.position DESC`, string(p))
	if blocks := h.blocks.Load(); blocks != nil {
		all = slices.DeleteFunc(all, func(e history.Entry) bool {
			return e.Reason == history.Withdrawn && ((*blocks)(p, e.Opponent.ID) || (*blocks)(e.Opponent.ID, p))
		})
	}
	for i, e := range all {
		if !e.Pool.IsRated() || err != nil {
			continue
		}
		var pairs []history.RatedPair
		if pairs, err = h.queryPairs(ctx, e.Pool, p, `f.match = $3`, string(e.Match)); len(pairs) > 0 {
			all[i].Pair = pairs[0]
		}
	}
	return all, err
}

// MarkSeen records that a player has seen the results of matches. Only the match IDs of results are used. Errors wrap
// [match.ErrUnavailable].
func (h *History) MarkSeen(ctx context.Context, p match.PlayerID, results ...history.Entry) error {
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

// queryEntries reads matches from the tables p (played or unseen) and f (finished).
func (h *History) queryEntries(ctx context.Context, from string, args ...any) (all []history.Entry, err error) {
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
		e.Player, e.Opponent = h.asShown(players[e.Side-1]), h.asShown(players[e.Side.Other()-1])
		e.Ended = time.UnixMicro(ended)
		if e.Variant, err = rules.ParseVariant(variant); err == nil {
			e.Clock, err = match.ParseClock(clock)
		}
		all = append(all, e)
		return err
	})
	return all, err
}

// FindByName returns at most ten players that had the parameter name as their name in a finished match, or have it as
// their ID. FindByName finds no guest and no computer, because they have no history.
func (h *History) FindByName(ctx context.Context, name string) (all []match.PlayerID, err error) {
	return h.queryPlayers(ctx, `SELECT DISTINCT p.player FROM played p JOIN finished f ON f.position = p.position
		WHERE p.player = $1 OR (p.side = 1 AND f.first_name = $1) OR (p.side = 2 AND f.second_name = $1)
			LIMIT 10`, name)
}

// Totals returns the totals of a player's matches, zero without a finished match.
func (h *History) Totals(ctx context.Context, p match.PlayerID) (t history.Totals, err error) {
	return t, h.queryOne(ctx, `SELECT matches, won, lost, chances, kept FROM player WHERE player = $1`,
		[]any{string(p)},
		&t.Matches, &t.Won, &t.Lost, &t.Chances, &t.Kept)
}

// TotalsAgainst returns the totals of p's matches against an opponent. TotalsAgainst leaves out Chances and Kept, and
// counts no win with hints against a computer.
func (h *History) TotalsAgainst(ctx context.Context, p, opponent match.PlayerID) (t history.Totals, err error) {
	return t, h.queryOne(ctx, `SELECT matches, won, lost FROM pairing WHERE player = $1 AND opponent = $2`,
		[]any{string(p), string(opponent)}, &t.Matches, &t.Won, &t.Lost)
}

// BeatenComputers returns the computer players that p has beaten without hints.
func (h *History) BeatenComputers(ctx context.Context, p match.PlayerID) ([]match.PlayerID, error) {
	return h.queryPlayers(ctx, `SELECT opponent FROM pairing
		WHERE player = $1 AND opponent >= 'computer:' AND opponent < 'computer;' AND won > 0`, string(p))
}

// maxExamined limits the matches that List reads. Otherwise anyone could make the server read all private matches of a
// player with very many.
const maxExamined = 10 * history.MaxPage

func pageSize(limit int) int64 { return int64(max(0, min(limit, history.MaxPage))) }

func (h *History) each(ctx context.Context, query string, args []any, fn func(scan) error) error {
	err := h.store.read(ctx, func(db querier) error { return each(ctx, db, query, args, fn) })
	return wrapHistory(err)
}

// queryOne reads the only row of a query. Without a row, into stays as it is.
func (h *History) queryOne(ctx context.Context, query string, args []any, into ...any) error {
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

func (h *History) queryPlayers(ctx context.Context, query string, args ...any) (all []match.PlayerID, err error) {
	err = h.each(ctx, query, args, func(scan scan) error {
		var p match.PlayerID
		err := scan(&p)
		all = append(all, p)
		return err
	})
	return all, err
}
