package workspace

import (
	"reflect"
	"slices"
)

// emitMetadata tells the app that a message got metadata, that it changed or went, where the
// app is a member and subscribed to such; the caller holds the lock.
// Slack: docs.slack.dev/reference/events/message_metadata_posted and its two siblings.
func (w *Workspace) emitMetadata(m *Message, before, after object) {
	event := object{
		"app_id": w.o.AppID, "bot_id": m.BotID, "user_id": m.User, "team_id": w.o.TeamID, "channel_id": m.Channel, "message_ts": m.TS,
	}
	setIf(event, "metadata", after, after != nil)
	setIf(event, "previous_metadata", before, before != nil)
	of := after
	switch {
	case reflect.DeepEqual(before, after):
		return
	case before == nil:
		event["type"], event["event_ts"] = "message_metadata_posted", m.TS
	case after == nil:
		now := w.stamp()
		event["type"], event["event_ts"], event["deleted_ts"] = "message_metadata_deleted", now, now
		of = before
	default:
		event["type"], event["event_ts"] = "message_metadata_updated", w.stamp()
	}
	if slices.Contains(w.o.Metadata, str(of, "event_type")) && w.scoped("metadata.message:read") == nil && w.channel(m.Channel).has(w.o.BotUserID) {
		w.emit(event)
	}
}
