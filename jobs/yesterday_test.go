package jobs

import (
	"testing"

	"darkroom/cards/change"
	"darkroom/jobs/answers"
	"darkroom/store/storetest"
)

// This version reads the jobs and documents of earlier versions.
func TestYesterdaysJobsAreRead(t *testing.T) {
	storetest.Yesterday(t, map[string]func() any{
		"place": func() any { return new(PlaceArgs) }, "place_state": func() any { return new(PlaceState) },
		"approve": func() any { return new(ChangeArgs) }, "revise": func() any { return new(ChangeArgs) },
		"cancel": func() any { return new(ChangeArgs) }, "change_state": func() any { return new(ChangeState) },
		"message": func() any { return new(MessageArgs) }, "reference": func() any { return new(ReferenceArgs) },
		"relay": func() any { return new(RelayArgs) }, "thread": func() any { return new(ThreadArgs) },
		"outbound_state": func() any { return new(OutboundState) }, "edit": func() any { return new(EditArgs) },
		"follow": func() any { return new(followArgs) }, "repaint": func() any { return new(answers.RepaintArgs) },
		"watch": func() any { return new(WatchArgs) },
		"fill":  func() any { return new(answers.DeferredView) }, "home": func() any { return new(HomeArgs) },
		"move": func() any { return new(MoveArgs) }, "joined": func() any { return new(CatchUpArgs) },
		"note_home": func() any { return new(HomeState) }, "note_relayed": func() any { return new(Relayed) },
		"note_correction": func() any { return new(Correction) }, "note_album": func() any { return new(answers.Album) },
		"note_changes": func() any { return new(change.Changes) },
	})
}
