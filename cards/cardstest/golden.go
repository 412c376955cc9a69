package cardstest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// GoldenOf compares the scene with markup with golden files in folder, and checks all scenes against Slack's
// limits.
func GoldenOf(t *testing.T, folder string, shown func(Scene) map[string]any) {
	t.Helper()
	for row, s := range Scenes() {
		for name, v := range shown(s) {
			t.Run(row+"/"+name, func(t *testing.T) {
				CheckLimits(t, v)
				if row == "markup" {
					Compare(t, filepath.Join("testdata", folder, name+".json"), Pretty(t, v), os.Getenv("UPDATE_GOLDEN") != "")
				}
			})
		}
	}
}

// again lists, by test, names that repeat a builder with other values. Only their scenes with markup and many
// images have files.
var again = map[string]string{
	"TestConnecting": `connected connecting form form_change home_admin home_admin_kept home_connected_admin home_connected_member home_member
		home_member_installed disconnect disconnect_data disconnecting disconnected disconnected_copied disconnected_forgets workspace_forgotten not_connected_admin not_connected_member waits_admin waits_member`,
	"TestTheChannelSees": `card_canceled card_closed card_gone card_review card_waits card_paused card_reviewing card_revising
		card_unknown_status placed_moved placed_unknown ready_copies
		ready_no_thumbs ready_superseded ready_download card_superseded approved_elsewhere canceled message paused_over paused_gone paused_left reminder_over reminder_paused reminder_unknown resumed_review message_above message_answered references moved tracked untracked`,
	"TestModals": `approve_later approve_no_thumbs approve_unheard approve_words approved cancel_denied cancel_late cancel_later
		cancel_refused cancel_unsettled cancel_words canceled canceling discarded move_problem move_public moved moving moving_later
		placing_later revise_later revise_stale revised revising unsettled new_empty new_refused new_unpostable revise_closed revise_all_chosen revise_no_thumbs
		revise_refused revise_rival_long revise_same settings settings_all settings_operator settings_denied settings_channel settings_account settings_orders held showing`,
	"TestOrderForms": `empty images_last left no_public_url refused unfinished unsure`,
	"TestPrivateAnswers": `asked asked_wrote balance help help_verb list_account_none list_none list_none_fits list_none_own
		list_one followed_already kept_revise_refused move_denied move_kept moved_already move_told unfollowed moved_told needs_id operators_only pick_none say_unknown
		show_no_thumbs show_zip suggest_none told_cancel_late told_cancel_refused told_lost told_revise_rival told_stale`,
	"TestReviews": `first_copies first_download canceled_download first_links first_missing one_new_plain another_new all_new_links all_new_mixed none_new approved_away canceled
		superseded left`,
	"TestVerdicts": `approve_all card_all review_all review_later saved revise_late`,
	"TestHome":     `empty empty_guest narrowed one ten_guest`,
	"TestHolds":    `hides hides_account credits batch ended allowed_placed allowed_refused allowed_batch told_ended told_batch told_not_placed told_changed_batch told_over account ops_limit told_operators allowed declined anew order spender told_declined told_changed told_gone told_allowed told_anew told_no told_kept`,
	"TestConversing": `adding correction had later sent told_refused wordless correction_old deleted duplicate form_filled gone guest kept_unanswered offer_old offer_wordless
		private references_any references_known told_later told_sent`,
}

// sized lists, by test, names that look different with another number of images or with long names. Only these
// have files for such scenes.
var sized = map[string]string{
	"TestTheChannelSees": `card_editing card_reviewing card_review card_closed placed ready changes approved`,
	"TestReviews":        `first one_new another_new all_new approve_later revise_later approved`,
	"TestModals":         `approve revise revise_all_chosen new_filled`,
	"TestOrderForms":     `photos images`,
	"TestPrivateAnswers": `show`,
	"TestVerdicts":       `revise_some review_all saved`,
	"TestHome":           `one second_round`,
	"TestConversing":     `references_each`,
}

// keeps reports whether a test has a file for a name in a scene.
func keeps(test, row, name string) bool {
	if slices.Contains([]string{"one_image", "twelve_images", "eighty_characters"}, row) {
		return slices.Contains(strings.Fields(sized[test]), name)
	}
	return row == "markup" || row == "many_images" || !slices.Contains(strings.Fields(again[test]), name)
}

// Golden compares everything shown in every scene with the test's files. UPDATE_GOLDEN=1 writes them.
func Golden(t *testing.T, shown func(Scene) map[string]any) {
	t.Helper()
	test := t.Name()
	root := filepath.Join("testdata", test)
	update := os.Getenv("UPDATE_GOLDEN") != ""
	if update {
		require.NoError(t, os.RemoveAll(root))
	}
	for row, s := range Scenes() {
		for name, v := range shown(s) {
			t.Run(row+"/"+name, func(t *testing.T) {
				CheckLimits(t, v)
				if !keeps(test, row, name) {
					return
				}
				Compare(t, filepath.Join(root, row, name+".json"), Pretty(t, v), update)
			})
		}
	}
	noneLeftBehind(t, root, shown)
}

// noneLeftBehind requires a file for each name, and a name for each file.
func noneLeftBehind(t *testing.T, root string, shown func(Scene) map[string]any) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	require.NoError(t, err)
	var saved []string
	for row, s := range Scenes() {
		for name := range shown(s) {
			if keeps(t.Name(), row, name) {
				saved = append(saved, filepath.Join(root, row, name+".json"))
			}
		}
	}
	slices.Sort(saved)
	slices.Sort(files)
	require.Equal(t, saved, files)
	plain := shown(Scenes()["plain"])
	for name := range strings.FieldsSeq(again[t.Name()]) {
		require.Contains(t, plain, name, "nothing is shown under this name")
	}
}

// Compare compares text with a golden file. update writes the file.
func Compare(t *testing.T, file, got string, update bool) {
	t.Helper()
	if update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "UPDATE_GOLDEN=1 writes it")
	require.Equal(t, string(want), got)
}

// Pretty returns the JSON that Slack gets, indented.
func Pretty(t *testing.T, v any) string {
	t.Helper()
	if view, ok := v.(slack.ModalViewRequest); ok {
		v = withShortMenus(view)
	} else {
		v = Payload(t, v)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(v))
	return out.String()
}

// withShortMenus keeps the first, last and chosen options of the menus of hours and time zones.
func withShortMenus(view slack.ModalViewRequest) slack.ModalViewRequest {
	view.Blocks.BlockSet = slices.Clone(view.Blocks.BlockSet)
	for i, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		if field, _, _ := strings.Cut(input.BlockID, ":"); !slices.Contains([]string{"digest", "quiet-from", "quiet-until", "zone"}, field) {
			continue
		}
		menu := *input.Element.(*slack.SelectBlockElement)
		last := len(menu.Options) - 1
		menu.Options = slices.DeleteFunc(slices.Clone(menu.Options), func(o *slack.OptionBlockObject) bool {
			return o != menu.Options[0] && o != menu.Options[last] && o.Value != menu.InitialOption.Value
		})
		short := *input
		short.Element, view.Blocks.BlockSet[i] = &menu, &short
	}
	return view
}
