package cards

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/slack-go/slack"
)

// About is what a message says in its metadata of the order it belongs to. Anybody may
// write such metadata: it counts only on a message of our own.
type About struct {
	Order      string
	Event      string // an event's id, or CardEvent
	Generation int
}

// AboutOf reads it; false when there is none of ours, or it is not whole.
func AboutOf(m slack.Message) (About, bool) {
	if m.Metadata.EventType != MetadataType {
		return About{}, false
	}
	payload := m.Metadata.EventPayload
	a := About{Order: metaText(payload["order_id"]), Event: metaText(payload["event"])}
	var err error
	a.Generation, err = strconv.Atoi(metaText(payload["generation"]))
	return a, err == nil && a.Order != "" && a.Event != ""
}

// metaText is a value of metadata as text: a number comes back as another type.
func metaText(v any) string {
	switch v := v.(type) {
	case string, json.Number, int, int64:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
