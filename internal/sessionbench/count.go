package main

import "context"

// countedSessions is the number of sessions in which bytes are counted, all at the same time.
const countedSessions = walksAtOnce

// count walks the cursor round once and counts the bytes of each step.
func (t *trial) count(ctx context.Context) error {
	some := t.fleet.part(countedSessions)
	var sums, steps [2]float64
	for _, step := range cursorWalk() {
		bytes, err := some.bytesOf(func() error { return some.walk(ctx, step.key) })
		if err != nil {
			return err
		}
		kind := 0
		if step.crosses {
			kind = 1
		}
		sums[kind] += bytes
		steps[kind]++
	}
	t.result.KeyBytes = (sums[0] + sums[1]) / (steps[0] + steps[1])
	t.result.InsideBytes = sums[0] / steps[0]
	t.result.AcrossBytes = sums[1] / steps[1]
	return nil
}

// play places a mark and counts the bytes that draw it, and those that draw the opponent's answer.
func (t *trial) play(ctx context.Context) error {
	if t.contender.place == "" {
		return nil
	}
	some := t.fleet.part(countedSessions)
	var err error
	t.result.MoveBytes, err = some.bytesOf(func() error { return some.walk(ctx, t.contender.place) })
	if err == nil && t.contender.answers {
		t.result.AnswerBytes, err = some.bytesOf(func() error { return some.settle(ctx) })
	}
	return err
}
