package cards_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

// course returns the events of an order with so many rounds.
func course(s cardstest.Scene, rounds int) []order.Event {
	at := cardstest.Now.Add(-9 * 24 * time.Hour)
	var all []order.Event
	add := func(kind order.EventKind, id string, words ...string) {
		e := s.Event(kind, order.StatusReviewing)
		e.ID, e.Seq, e.At, e.Words = id, int64(len(all)+1), at.Add(time.Duration(len(all))*time.Hour), words
		all = append(all, e)
	}
	add(order.EventPlaced, "placed")
	for r := range rounds {
		add(order.EventReady, fmt.Sprintf("ready:r%d", r))
		add(order.EventChanges, fmt.Sprintf("changes:r%d", r+1), s.Words, strings.Repeat("Warmer still. ", 60))
		add(order.EventMessage, fmt.Sprintf("message:%d", r), s.Words)
		add(order.EventEditor, fmt.Sprintf("editor:%d", r), "On it: "+s.Words)
	}
	add(order.EventApproved, "approved", "Thank you")
	for i := range all {
		if all[i].Kind == order.EventEditor {
			all[i].Revision = new(i / 4)
		}
	}
	return all
}

func TestGoldenHistories(t *testing.T) {
	for row, s := range cardstest.Scenes() {
		reviewed := s.Tracked(order.StatusReviewing)
		for name, v := range map[string]any{
			"newest": cards.History(reviewed, course(s, 8), 0), "oldest": cards.History(reviewed, course(s, 8), 99), "short": cards.History(reviewed, course(s, 1), 0), "window": cards.HistoryWindow(reviewed, course(s, 8), 1, "history:1"),
			"none": cards.History(reviewed, nil, 0), "details": cards.Show(reviewed, course(s, 8), true, cardstest.Previews, cardstest.Now),
		} {
			t.Run(row+"/"+name, func(t *testing.T) {
				cardstest.CheckLimits(t, v)
				if row == "markup" {
					cardstest.Compare(t, filepath.Join("testdata", "history", name+".json"), cardstest.Pretty(t, v), os.Getenv("UPDATE_GOLDEN") != "")
				}
			})
		}
	}
}

func TestNoEventIsMissingFromTheWholeHistory(t *testing.T) {
	s := cardstest.Of(strings.Repeat("A long word of wishes. ", 200), 50)
	events := course(s, 8)
	reviewed := s.Tracked(order.StatusReviewing)
	seen, pages := "", cards.HistoryPages(reviewed, events)
	require.Greater(t, len(pages), 5)
	for page := range pages {
		m := cards.History(reviewed, events, page)
		cardstest.CheckLimits(t, m)
		blocks, err := json.Marshal(m.Blocks)
		require.NoError(t, err)
		require.NotContains(t, string(blocks), kit.RestTooLong)
		seen += string(blocks)
	}
	for _, e := range events {
		require.Equal(t, 1, strings.Count(seen, fmt.Sprintf("!date^%d^", e.At.Unix())), e.ID)
	}
}
