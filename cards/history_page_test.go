package cards

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// course is what happened to an order in so many rounds.
func (s scene) course(rounds int) []order.Event {
	at := now.Add(-9 * 24 * time.Hour)
	var all []order.Event
	add := func(kind order.EventKind, id string, words ...string) {
		e := s.event(kind, order.StatusReviewing)
		e.ID, e.Seq, e.At, e.Words = id, int64(len(all)+1), at.Add(time.Duration(len(all))*time.Hour), words
		all = append(all, e)
	}
	add(order.EventPlaced, "placed")
	for r := range rounds {
		add(order.EventReady, fmt.Sprintf("ready:r%d", r))
		add(order.EventChanges, fmt.Sprintf("changes:r%d", r+1), s.words, strings.Repeat("Warmer still. ", 60))
		add(order.EventMessage, fmt.Sprintf("message:%d", r), s.words)
		add(order.EventEditor, fmt.Sprintf("editor:%d", r), "On it: "+s.words)
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
	for row, s := range scenes() {
		reviewed := s.tracked(order.StatusReviewing)
		for name, v := range map[string]any{
			"newest": History(reviewed, s.course(8), 0), "oldest": History(reviewed, s.course(8), 99), "short": History(reviewed, s.course(1), 0), "window": HistoryWindow(reviewed, s.course(8), 1, "history:1"),
			"none": History(reviewed, nil, 0), "details": Show(reviewed, s.course(8), true, previews, now),
		} {
			t.Run(row+"/"+name, func(t *testing.T) {
				checkLimits(t, v)
				if row == "markup" {
					compare(t, filepath.Join("testdata", "history", name+".json"), pretty(t, v), os.Getenv("UPDATE_GOLDEN") != "")
				}
			})
		}
	}
}

func TestNoEventIsMissingFromTheWholeHistory(t *testing.T) {
	s := scene{strings.Repeat("A long word of wishes. ", 200), 50}
	events := s.course(8)
	reviewed := s.tracked(order.StatusReviewing)
	seen, pages := "", historyPages(reviewed, events)
	require.Greater(t, len(pages), 5)
	for page := range pages {
		m := History(reviewed, events, page)
		checkLimits(t, m)
		blocks, err := json.Marshal(m.Blocks)
		require.NoError(t, err)
		require.NotContains(t, string(blocks), tooLong)
		seen += string(blocks)
	}
	for _, e := range events {
		require.Equal(t, 1, strings.Count(seen, fmt.Sprintf("!date^%d^", e.At.Unix())), e.ID)
	}
}
