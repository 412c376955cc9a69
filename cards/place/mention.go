package place

import (
	"darkroom/cards/kit"
)

// ActionMentioned opens the order form with the photos that somebody mentioned the app with. It carries the name of
// their document.
const ActionMentioned = "mention:order"

// MentionHint says what a mention does, outside an order's thread and without photos.
func MentionHint() kit.Message {
	return kit.Say("Mention me with photos to order their editing, or in the thread of an order to write to its editor.")
}

// MentionPhotos offers to order photos. files counts all files that came, note names their document.
func MentionPhotos(files int, note string) kit.Message {
	p := kit.NewPage("I can order editing for " + kit.Plural(files, "this photo", "these "+kit.Count(files, "photo", "photos")) + ". Nothing is sent until you place the order.")
	return p.Buttons(kit.PrimaryButton("Order These Photos", ActionMentioned, note)).Message()
}

// MentionOld says that the photos of a button are no longer saved.
func MentionOld() kit.Message {
	return kit.Say("This button has expired. Choose *Order these photos* in the menu of the message with the photos.")
}
