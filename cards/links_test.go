package cards_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/store"

	"github.com/stretchr/testify/assert"
)

func TestALinkToAMessageIsTheOneThatSlackWouldGive(t *testing.T) {
	tests := map[string]struct {
		links               cards.Links
		channel, ts, thread string
		want                string
	}{
		"a card":                    {"https://acme.slack.com/", "C0SHOOTS", "1763812345.000100", "", "https://acme.slack.com/archives/C0SHOOTS/p1763812345000100"},
		"an address without slash":  {"https://acme.slack.com", "C0SHOOTS", "1763812345.000100", "", "https://acme.slack.com/archives/C0SHOOTS/p1763812345000100"},
		"a reply":                   {"https://acme.slack.com/", "C0SHOOTS", "1763812399.000200", "1763812345.000100", "https://acme.slack.com/archives/C0SHOOTS/p1763812399000200?thread_ts=1763812345.000100&cid=C0SHOOTS"},
		"the thread's own root":     {"https://acme.slack.com/", "C0SHOOTS", "1763812345.000100", "1763812345.000100", "https://acme.slack.com/archives/C0SHOOTS/p1763812345000100"},
		"no address of a workspace": {"", "C0SHOOTS", "1763812345.000100", "", ""},
		"not posted yet":            {"https://acme.slack.com/", "C0SHOOTS", "", "", ""},
		"no channel":                {"https://acme.slack.com/", "C0|<!here>", "1763812345.000100", "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, test.links.Message(test.channel, test.ts, test.thread))
		})
	}
	order := store.Tracked{Owner: store.Owner{Channel: "C0SHOOTS"}, CardTS: "1763812345.000100"}
	assert.Equal(t, "https://acme.slack.com/archives/C0SHOOTS/p1763812345000100", cards.Links("https://acme.slack.com/").Card(order))
}
