package cards_test

import (
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestTheCheckerSeesWhatSlackWouldReject(t *testing.T) {
	tests := map[string]any{
		"no words":      kit.Message{Text: "", Blocks: []slack.Block{slack.NewSectionBlock(kit.Mrkdwn("a"), nil, nil)}},
		"markup":        kit.Message{Text: "a <!channel>", Blocks: []slack.Block{slack.NewSectionBlock(kit.Mrkdwn("a"), nil, nil)}},
		"half entity":   kit.Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(kit.Mrkdwn("a &am"), nil, nil)}},
		"long section":  kit.Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(kit.Mrkdwn(strings.Repeat("a", 3001)), nil, nil)}},
		"empty section": kit.Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(kit.Mrkdwn(""), nil, nil)}},
		"no blocks":     slack.ModalViewRequest{Title: kit.PlainText("a"), Close: kit.PlainText("b")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.True(t, fails(func(r require.TestingT) { cardstest.CheckLimits(r, tt) }))
		})
	}
}

// fails reports whether a check fails.
func fails(check func(require.TestingT)) (failed bool) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != stopped {
			panic(p)
		}
		failed = r.failed
	}()
	check(r)
	return r.failed
}

const stopped = "stopped"

type recorder struct{ failed bool }

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; panic(stopped) }
