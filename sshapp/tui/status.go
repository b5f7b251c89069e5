package tui

import (
	"time"

	"notakto/sshapp/tui/draw"
)

// Notice is a message from the server to the player. It stays until the next key or message.
type Notice string

// Announcement is an operator's message to the player. For five seconds it hides all other messages, and then it stays
// until the next key. That key brings back the message that it replaced.
type Announcement string

const readWithin = 5 * time.Second

// statusLine holds the messages of the line above the keys. [statusLine.line] chooses between them, the screen's
// notice, the alert of ownMatches and the question of seek.
type statusLine struct {
	message string    // the message shown now
	until   time.Time // when a key may clear the message; zero for at any time
	next    string    // the message that follows

	feedback string // why the last command failed, or what a setting is now
}

// say shows a message until the next key or message. While an announcement is unread, say queues the message.
func (s *statusLine) say(message string) {
	if s.isUnread() {
		s.next = message
		return
	}
	s.message, s.until, s.next = message, time.Time{}, ""
}

// announce shows a message for at least readWithin. The replaced message returns afterwards.
func (s *statusLine) announce(message string) {
	if s.until.IsZero() {
		s.next = s.message
	}
	s.message, s.until = message, time.Now().Add(readWithin)
}

func (s *statusLine) isUnread() bool { return time.Now().Before(s.until) }

// onKey clears what the player has read. An announcement stays while the help hides it.
func (s *statusLine) onKey(isHelping bool) {
	s.feedback = ""
	if !s.isUnread() && (!isHelping || s.until.IsZero()) {
		s.say(s.next)
	}
}

func (s *statusLine) line(shown screen, own *ownMatches) (string, draw.Role) {
	text, role := shown.notice()
	_, isTable := shown.(*tableScreen)
	call, question := own.alert(), own.env.seek.questionText(own.env)
	switch {
	case s.isUnread():
		return s.message, draw.Notice
	case call != nil && call.ID == own.found:
		return own.alertText(call, tableOf(shown) != nil), draw.MyTurn
	case question != "":
		return question, draw.Notice
	case s.feedback != "":
		return s.feedback, draw.Notice
	case own.isLosing():
		return own.alertText(call, tableOf(shown) != nil), draw.Notice
	case s.message != "" && (!isTable || role != draw.Notice): // a table's Notice is more urgent: a time runs out
		return s.message, draw.Notice
	case call != nil && role != draw.Notice:
		return own.alertText(call, tableOf(shown) != nil), draw.Notice
	default:
		return text, role
	}
}
