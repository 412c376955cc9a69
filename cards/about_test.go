package cards_test

import (
	"encoding/json"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/cards"
)

func TestMetadataSaysWhoseAMessageIs(t *testing.T) {
	for name, test := range map[string]struct {
		metadata string
		want     cards.About
	}{
		"as Slack brings it":   {`{"event_type":"darkroom_order","event_payload":{"order_id":"o1","event":"card","generation":2}}`, cards.About{Order: "o1", Event: "card", Generation: 2}},
		"the number as text":   {`{"event_type":"darkroom_order","event_payload":{"order_id":"o1","event":"ready:r1","generation":"2"}}`, cards.About{Order: "o1", Event: "ready:r1", Generation: 2}},
		"another app's":        {`{"event_type":"lunch_order","event_payload":{"order_id":"o1","event":"card","generation":2}}`, cards.About{}},
		"without its payload":  {`{"event_type":"darkroom_order"}`, cards.About{}},
		"half of it":           {`{"event_type":"darkroom_order","event_payload":{"order_id":"o1","generation":2}}`, cards.About{}},
		"an odd order":         {`{"event_type":"darkroom_order","event_payload":{"order_id":["o1"],"event":"card","generation":2}}`, cards.About{}},
		"an odd generation":    {`{"event_type":"darkroom_order","event_payload":{"order_id":"o1","event":"card","generation":1.5}}`, cards.About{}},
		"no generation at all": {`{"event_type":"darkroom_order","event_payload":{"order_id":"o1","event":"card"}}`, cards.About{}},
	} {
		t.Run(name, func(t *testing.T) {
			var m slack.Message
			require.NoError(t, json.Unmarshal([]byte(test.metadata), &m.Metadata))
			about, ok := cards.AboutOf(m)
			require.Equal(t, test.want != cards.About{}, ok)
			if ok {
				require.Equal(t, test.want, about)
			}
		})
	}
}
