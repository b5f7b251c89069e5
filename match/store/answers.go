package store

import (
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
)

// Questions that a group may ask, in the order of answers.asked.
const (
	findArchived  statement = `SELECT match FROM archive WHERE match IN (SELECT match FROM {match text})`
	findStandings statement = `SELECT ` + standingColumns + ` FROM rating t JOIN {pool bigint, player text}
		ON t.pool = r.pool AND t.player = r.player`
	findMeetings statement = `SELECT m.pool, m.player, m.opponent, m.day, m.pairs FROM meeting m JOIN {pool bigint,
		player text, opponent text, day bigint}
		ON m.pool = r.pool AND m.player = r.player AND m.opponent = r.opponent AND m.day >= r.day`
	findNotices statement = `SELECT n.account, n.item = r.item, n.item = 'seen', n.at FROM notice n
		JOIN ` + noticeColumns + ` ON n.account = r.account WHERE n.item = r.item OR n.item = 'seen' OR n.at > r.at`
)

// answers holds the questions that the requests of a group ask before head is locked, and the answers read under the
// lock. begin sends all questions at once. The database may be far away, and a round trip for each question would hold
// head for long.
type answers struct {
	archived     map[match.ID]bool              // has a key for each match asked
	standings    map[ratingKey]history.Standing // has a key for each standing asked, with changes of the group
	meetings     map[meetingKey]int             // pairs played, with changes of the group
	meetingsFrom map[meetingKey]bool            // has a key for each question, with the first day asked for
	notices      map[match.PlayerID]noticeAnswer
	asked        [4]question
}

func newAnswers() answers {
	return answers{
		archived: make(map[match.ID]bool), standings: make(map[ratingKey]history.Standing),
		meetings: make(map[meetingKey]int), meetingsFrom: make(map[meetingKey]bool),
		notices: make(map[match.PlayerID]noticeAnswer),
		asked: [...]question{
			{statement: findArchived}, {statement: findStandings}, {statement: findMeetings}, {statement: findNotices},
		},
	}
}

func (a *answers) questions() []question {
	a.asked[0].answer = func(scan scan) error {
		var id match.ID
		err := scan(&id)
		a.archived[id] = true
		return err
	}
	a.asked[1].answer = func(scan scan) error {
		s, err := readStanding(scan)
		a.standings[ratingKey{s.Pool, s.Player.ID}] = s
		return err
	}
	a.asked[2].answer = func(scan scan) error {
		var m meetingKey
		var pairs int
		err := scan(&m.pool, &m.player, &m.opponent, &m.day, &pairs)
		a.meetings[m] = pairs
		return err
	}
	a.asked[3].answer = func(scan scan) error {
		var id match.PlayerID
		var isItem, isSeen bool
		var at int64
		err := scan(&id, &isItem, &isSeen, &at)
		n := a.notices[id]
		if isSeen {
			n.seen = time.UnixMicro(at)
		} else {
			n.recent++
		}
		n.isClaimed = n.isClaimed || isItem
		a.notices[id] = n
		return err
	}
	return a.asked[:]
}

func (a *answers) askArchived(id match.ID) {
	if _, asked := a.archived[id]; !asked {
		a.archived[id] = false
		a.asked[0].rows = append(a.asked[0].rows, []any{string(id)})
	}
}

// askNotices asks for the rows that decide a claim. A group has at most one claim of an account.
func (a *answers) askNotices(id match.PlayerID, item string, after time.Time) {
	a.asked[3].rows = append(a.asked[3].rows, []any{string(id), item, after.UnixMicro()})
}

// askRatings asks for the standings and meetings that results.addPair needs for the last game of a rated pair. The
// match may end on another day than s says, and askRatings therefore asks for meetings from the day before.
func (a *answers) askRatings(s *match.State) {
	if !canBeRated(s) {
		return
	}
	for _, side := range rules.Sides() {
		key := ratingKey{s.Pool, s.Seat(side).Player.ID}
		if _, asked := a.standings[key]; !asked {
			a.standings[key] = history.Standing{Rating: rating.New()}
			a.asked[1].rows = append(a.asked[1].rows, []any{int64(key.pool), string(key.player)})
		}
	}
	m := meetingOf(s)
	m.day--
	if !a.meetingsFrom[m] {
		a.meetingsFrom[m] = true
		a.asked[2].rows = append(a.asked[2].rows, []any{int64(m.pool), string(m.player), string(m.opponent), m.day})
	}
}

// hasRatings reports whether the group has asked for the standings of both players, and for their meetings on the day
// when s ended.
//
// A question from one or two days earlier is accepted, because the match may end a day after the plan, and askRatings
// asks from the day before.
func (a *answers) hasRatings(s *match.State) bool {
	if !canBeRated(s) {
		return true
	}
	for _, side := range rules.Sides() {
		if _, asked := a.standings[ratingKey{s.Pool, s.Seat(side).Player.ID}]; !asked {
			return false
		}
	}
	for m, back := meetingOf(s), 0; back < 3; back++ {
		if a.meetingsFrom[m] {
			return true
		}
		m.day--
	}
	return false
}
