package jobs_test

import (
	"fmt"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards/talk"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
)

func TestWhyAPhotoOfSlacksCannotBeGiven(t *testing.T) {
	for name, test := range map[string]struct {
		file jobs.SlackFile
		why  string
	}{
		"a photo":                 {jobs.SlackFile{ID: "F1", Name: "a.jpg", Mimetype: "image/jpeg", Size: 1000}, ""},
		"one that was looked for": {jobs.SlackFile{ID: "F1", Name: "a.jpg", Size: 1000, Lost: talk.GoneFile}, talk.GoneFile},
		"without a name":          {jobs.SlackFile{Name: "a.jpg", Size: 1000}, talk.NamelessFile},
		"of others":               {jobs.SlackFile{ID: "F1", Access: "check_file_info"}, talk.ForeignFile},
		"kept elsewhere":          {jobs.SlackFile{ID: "F1", Name: "a.jpg", Size: 1000, External: true}, talk.AwayFile},
		"a link":                  {jobs.SlackFile{ID: "F1", Name: "a.jpg", Size: 1000, Mode: "external"}, talk.AwayFile},
		"too large":               {jobs.SlackFile{ID: "F1", Name: "a.jpg", Mimetype: "image/jpeg", Size: 300 << 20}, talk.HugeFile},
		"empty":                   {jobs.SlackFile{ID: "F1", Name: "a.jpg", Mimetype: "image/jpeg"}, talk.EmptyFile},
		"no picture":              {jobs.SlackFile{ID: "F1", Name: "a.pdf", Mimetype: "application/pdf", Size: 1000}, talk.NotAPicture},
	} {
		require.Equal(t, test.why, test.file.Problem(), name)
	}
}

func TestSlackIsAskedAboutFilesThatItTellsLittleOf(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		gone := func(code string) error {
			return fmt.Errorf("%w: %w", &client.Error{Method: "files.info", Code: code}, client.ErrGone)
		}
		photo := slack.File{ID: "F1", Name: "partner.jpg", Mimetype: "image/jpeg", Size: 1000}
		r.Screen.Files = map[string]commandstest.SeenFile{
			"F1": {File: photo}, "F2": {Err: gone("file_not_found")}, "F3": {Err: gone("tombstone")},
			"F4": {Err: fmt.Errorf("files.info: %w", client.ErrNotAllowed)}, // of F5 and F6 it says nothing just now
		}
		var came []jobs.SlackFile
		for _, id := range []string{"F1", "F2", "F3", "F4"} {
			came = append(came, jobs.SlackFile{ID: id, Access: "check_file_info"})
		}
		came = append(came, jobs.SlackFile{ID: "F5", Name: "known.jpg", Size: 1000}, jobs.SlackFile{ID: "F6"}, jobs.SlackFile{Name: "odd.jpg"})
		looked := r.Jobs.Albums.Inspect(r.T.Context(), came, "not mine to read")
		require.Equal(r.T, jobs.SlackFiles([]slack.File{photo})[0], looked[0])
		var lost []string
		for _, f := range looked[1:] {
			lost = append(lost, f.Lost)
		}
		require.Equal(r.T, []string{"not mine to read", talk.GoneFile, "not mine to read", "", talk.UnknownFile, ""}, lost)
	})
}
