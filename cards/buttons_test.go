package cards

import (
	"testing"
	"time"

	"darkroom/store"
	"darkroom/upstream"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestOnlyWhatCanSucceedNowHasAButton(t *testing.T) {
	tests := map[string]struct {
		order upstream.Order
		can   Verbs
		gone  bool
		want  []string
	}{
		"reviewing":               {upstream.Order{Status: upstream.Reviewing}, all, false, []string{"Approve", "Request changes", "Message editor"}},
		"reviewing, few verbs":    {upstream.Order{Status: upstream.Reviewing}, today, false, []string{"Approve"}},
		"no verbs":                {upstream.Order{Status: upstream.Reviewing}, nil, false, nil},
		"new":                     {upstream.Order{Status: upstream.Editing, OrderedAt: now.Add(-14 * time.Minute)}, all, false, []string{"Message editor", "Cancel order"}},
		"after the cancel window": {upstream.Order{Status: upstream.Editing, OrderedAt: now.Add(-15 * time.Minute)}, all, false, []string{"Message editor"}},
		"revising":                {upstream.Order{Status: upstream.Revising, OrderedAt: now}, all, false, []string{"Message editor", "Cancel order"}},
		"paused":                  {upstream.Order{Status: upstream.Paused, OrderedAt: now}, all, false, []string{"Message editor", "Cancel order"}},
		"closed":                  {upstream.Order{Status: upstream.Closed}, all, false, nil},
		"canceled":                {upstream.Order{Status: upstream.Canceled}, all, false, nil},
		"gone":                    {upstream.Order{Status: upstream.Reviewing}, all, true, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			row := possible(store.Tracked{ID: "7", Known: store.Known{Order: tt.order, Gone: tt.gone}}, tt.can, now)
			var labels []string
			for _, b := range row {
				labels = append(labels, b.(*slack.ButtonBlockElement).Text.Text)
			}
			require.Equal(t, tt.want, labels)
		})
	}
}

func TestASupersededReplyHasNoButtons(t *testing.T) {
	s := scene{"beach", 1}
	m := Reply(s.tracked(upstream.Reviewing), s.event(store.Ready, upstream.Reviewing), all, false, previews)
	require.NotContains(t, pretty(t, m), `"actions"`)
}

func TestAButtonsValueComesBack(t *testing.T) {
	for _, id := range []string{"1042", "a:r1", ":r"} {
		order, revision, ok := ParseValue(Value(id, 3))
		require.True(t, ok)
		require.Equal(t, id, order)
		require.Equal(t, 3, revision)
	}
	for _, bad := range []string{"", "1042", ":r1", "1042:r", "1042:rx", "1042:r-1"} {
		_, _, ok := ParseValue(bad)
		require.False(t, ok, bad)
	}
}
