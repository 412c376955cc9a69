package cardstest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	plainButton = `{"type":"button","action_id":"a","text":{"type":"plain_text","text":"%s"}}`
	loudButton  = `{"type":"button","action_id":"a","style":"primary","text":{"type":"plain_text","text":"Save Photos"}}`
	oneInput    = `{"type":"input","label":{"type":"plain_text","text":"Name"},"element":{"type":"plain_text_input"}}`
)

func planted(pattern, words string) string { return strings.ReplaceAll(pattern, "%s", words) }

func message(text string, blocks ...string) string {
	return planted(`{"text":"%s","blocks":[`, text) + strings.Join(blocks, ",") + `]}`
}

func window(title, submit string, blocks ...string) string {
	return `{"type":"modal","title":{"type":"plain_text","text":"` + title + `"},"submit":{"type":"plain_text","text":"` + submit + `"},"blocks":[` + strings.Join(blocks, ",") + `]}`
}

func says(words string) string {
	return planted(`{"type":"section","text":{"type":"mrkdwn","text":"%s"}}`, words)
}

func row(elements ...string) string {
	return `{"type":"actions","elements":[` + strings.Join(elements, ",") + `]}`
}

func picture(alt string) string { return planted(`{"type":"image","alt_text":"%s"}`, alt) }

// TestALayoutThatBreaksARuleIsFound plants one fault for each rule, beside the same thing done well.
func TestALayoutThatBreaksARuleIsFound(t *testing.T) {
	label := func(words string) string {
		return window("Order details", "Save Photos", planted(`{"type":"input","label":{"type":"plain_text","text":"%s"},"element":{"type":"plain_text_input"}}`, words))
	}
	menu := func(confirm string) string {
		return message("Placed", row(`{"type":"overflow","action_id":"b",`+confirm+`"options":[{"text":{"type":"plain_text","text":"Delete preset"},"value":"1"}]}`))
	}
	seven := strings.Split(strings.Repeat(oneInput+"|", 7), "|")[:7]
	for _, test := range []struct{ rule, wrong, right string }{
		{"emphasis", message("Placed", row(loudButton, loudButton)), message("Placed", row(loudButton))},
		{"emphasis", window("Order details", "Save Photos", row(loudButton)), window("Order details", "Save Photos", row(planted(plainButton, "Save Photos")))},
		{"title case", message("Placed", row(planted(plainButton, "Ask for an answer"))), message("Placed", row(planted(plainButton, "Ask for an Answer")))},
		{"title case", window("Order details", "Place order"), window("Order details", "Place Order")},
		{"sentence case", window("Order Details", "Save Photos"), window("Order details", "Save Photos")},
		{"sentence case", label("Customer Name"), label("Customer ID")},
		{"place words", message("Placed", says("Look at the photos below.")), message("Placed", says("Look at the photos."))},
		{"six inputs", window("Order details", "Save Photos", seven...), window("Order details", "Save Photos", seven[:6]...)},
		{"24 characters", window("Details of this photo order", "Save Photos"), window("Details of this order", "Save Photos")},
		{"24 characters", window("Order details", "Save Photos and Go On Later"), window("Order details", "Save Photos and Go On")},
		{"optional", label("Name (optional)"), label("Name")},
		{"emoji", message("Placed", row(planted(plainButton, ":bell: Follow"))), message("Placed", row(planted(plainButton, "Follow")))},
		{"emoji", label("Name 🎉"), label("Name")},
		{"alt text", message("Placed", picture("beach.jpg")), message("Placed", picture("Edited photo of the beach: beach.jpg"))},
		{"alt text", message("Placed", picture("Image 3")), message("Placed", picture("Original, Round 1: 3 · beach.jpg"))},
		{"fallback", message("", says("Placed")), message("Placed", says("Placed"))},
		{"fallback", message(":bell: *Smith wedding*"), message("Placed: *Smith wedding*")},
		{"confirm", message("Placed", row(planted(plainButton, "Discard Text"))), message("Placed", row(planted(plainButton, "Keep Text")))},
		{"confirm", menu(""), menu(`"confirm":{"title":{"type":"plain_text","text":"Delete preset?"}},`)},
		{"25 words", message("Placed", says(strings.Repeat("so ", 25)+"on.")), message("Placed", says(strings.Repeat("so ", 24)+"on. And so on."))},
		{"words", message("Placed", says("Whoever ordered is told.")), message("Placed", says("The requester is told."))},
		{"words", label("Image URLs"), label("Photo links")},
	} {
		require.NotEmpty(t, foundBy(t, test.rule, test.wrong), "%s: %s", test.rule, test.wrong)
		require.Empty(t, foundBy(t, test.rule, test.right), "%s: %s", test.rule, test.right)
	}
	for _, r := range layoutRules {
		require.Empty(t, foundBy(t, r.name, message("Placed: Smith wedding", says("Placed: Smith wedding"), says("> As whoever asked for it says below: anew"))), r.name)
	}
}

func foundBy(t *testing.T, name, raw string) (found []string) {
	t.Helper()
	var whole map[string]any
	require.NoError(t, json.Unmarshal([]byte(raw), &whole), raw)
	for _, r := range layoutRules {
		if r.name == name {
			return r.finds(surfaceOf(whole))
		}
	}
	require.Fail(t, "no such rule", name)
	return nil
}
