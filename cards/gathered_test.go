package cards

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// together are messages for one, for some and for very many orders.
func (s scene) together(shown map[string]any) {
	for _, n := range []int{1, 3, 50} {
		shown[fmt.Sprintf("gathered_%d", n)] = Gathered(s.delivered(n), links)
	}
}

// delivered are so many orders that became ready one after the other.
func (s scene) delivered(n int) []GatheredReview {
	all := make([]GatheredReview, n)
	for i := range all {
		t, e := s.tracked(order.StatusReviewing), s.event("ready", order.StatusReviewing)
		t.ID, t.CardTS = fmt.Sprint("ord", i), fmt.Sprintf("1795166700.%06d", i)
		e.Seq, e.At = 2, now.Add(time.Duration(i)*time.Second)
		if i == 2 {
			t.Owner.Requester = "U0BEN"
		}
		all[i] = GatheredReview{
			Name: fmt.Sprintf("1:2:ord%d", i), Order: t, Event: e, Reply: store.Posted{Event: 2, TS: fmt.Sprintf("1795166760.%06d", i)},
		}
	}
	return all
}

// A message for several reviews names them in its metadata, also those that it has no room for.
func TestAMessageForSeveralReviewsNamesThemAll(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 3, 50, 60} {
		m := Gathered(scene{"beach", 1}.delivered(n), links)
		require.Len(t, GatheredNames(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}), n)
		if n > mostGathered {
			raw, err := json.Marshal(m.Blocks)
			require.NoError(t, err)
			require.Contains(t, string(raw), "and 10 more: `/order list`")
		}
	}
	require.Empty(t, GatheredNames(slack.Message{}))
}

// Who alone may approve is asked once for all, and so is who ordered them all.
func TestAMessageForSeveralReviewsAsksEachOnce(t *testing.T) {
	t.Parallel()
	reviews := scene{"beach", 1}.delivered(3)
	for i := range reviews {
		reviews[i].Reply.Asks = []string{"U0OLGA"}
	}
	m := Gathered(reviews, links)
	require.Regexp(t, `^\*3 orders are ready for review\* · <@U0OLGA>\n`, m.Text)
	require.NotContains(t, m.Text, "U0BEN")
}

func TestTheSettingOfSeveralDeliveriesStaysWhereItIsNotAsked(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{false, true} {
		for answer, want := range map[string]bool{"one": true, "each": false, "": before, "maybe": before} {
			got, problems := DecodeSettings(answered(map[string]string{"gather": answer}), store.Settings{Gather: before})
			require.Empty(t, problems)
			require.Equal(t, want, got.Gather, "%v, then %q", before, answer)
		}
	}
	require.Empty(t, gatherSettings.says(store.Settings{}))
	require.NotEmpty(t, gatherSettings.says(store.Settings{Gather: true}))
}
