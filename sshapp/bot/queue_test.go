package bot

import (
	"strings"
	"testing"
	"time"

	"notakto/match/lobby"
	"notakto/match/manager"
)

// Two bots that are kept apart hear why and until when. The bot that moved in time may accept the other.
func TestBotsThatAreKeptApartAreTold(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		late, prompt, _ := b.pair("notakto/3")
		pass(manager.DefaultFirstMove)
		late.received()
		prompt.received()
		late.says(`{"do":"seek"}`)
		late.expects("seeking")
		prompt.says(`{"do":"seek"}`)
		told := prompt.expects("seeking", "notice")[1].text
		until := time.Now().Add(lobby.SeparationTime).UTC().Format(time.RFC3339)
		if !strings.Contains(told, `"apart":{"name":"ann","until":"`+until+`","late":true}`) {
			b.Errorf("the one that moved is told %s, until %s", told, until)
		}
		if told := late.expects("notice")[0].text; !strings.Contains(told, `"apart":{"name":"bob","until":"`+until+`"}`) {
			b.Errorf("the late one is told %s, until %s", told, until)
		}
		pass(4 * time.Minute)
		late.expects()
		prompt.says(`{"do":"cancel"}`, `{"do":"seek","anyway":true}`)
		prompt.expects("cancelled", "seeking", "match")
		late.expects("match")
	})
}

// A bot is a program, and meets only players that want to meet one.
func TestABotMeetsWhoWantsToMeetPrograms(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		one.says(`{"do":"seek","meets":"robots"}`, `{"do":"seek","meets":1}`, `{"do":"seek","meets":"people"}`)
		one.expects("error code=bad_json do=seek", "error code=bad_json do=seek", "seeking meets=people")
		two.says(`{"do":"seek","meets":"both"}`)
		two.expects("seeking")
		one.says(`{"do":"cancel"}`, `{"do":"seek","meets":"programs"}`)
		one.expects("cancelled", "seeking meets=programs", "match")
		two.expects("match")
	})
}
