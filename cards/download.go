package cards

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// RoundURL returns a signed URL for the edited images of an order's round, or "".
type RoundURL func(t store.Tracked) string

// MarkURL returns a signed URL of the page on which one person sets pins, or "".
type MarkURL func(m store.Marking) string

const (
	labelDownload = "Download All"
	labelCompare  = "Compare"
)

// download returns the link button to the ZIP, or none without images or ZIPs.
func (t Thumbs) download(seen store.Tracked) []slack.BlockElement {
	return linkButton(t.ZIP, seen, labelDownload, ActionDownload)
}

// compare returns the link button to the page that compares the versions of each image, or none without images or pages.
func (t Thumbs) compare(seen store.Tracked) []slack.BlockElement {
	return linkButton(t.Compare, seen, labelCompare, ActionCompare)
}

func linkButton(of RoundURL, seen store.Tracked, label, action string) []slack.BlockElement {
	if of == nil || len(seen.Order.EditedImages) == 0 {
		return nil
	}
	address := of(seen)
	if !order.WebAddress(address) || kit.Units(address) > kit.MaxURL {
		return nil
	}
	return []slack.BlockElement{OrderButton(seen, label, label+" photos of", action, Value(seen.ID, seen.Order.Rev())).WithURL(address)}
}

// ZIPName returns a ZIP's file name: "Smith wedding K7Q2XM round 2".
func ZIPName(t store.Tracked) string {
	name, _ := ProjectName(t)
	return strings.Join(strings.Fields(kit.Plain(name, 80)+" "+t.Reference+" "+laterRound(t.Order.Rev())), " ")
}

// FinalsNotUploaded links to the final images that could not be uploaded, or returns "".
func FinalsNotUploaded(left map[int]order.EditedImage) string {
	var links []string
	for _, number := range slices.Sorted(maps.Keys(left)) {
		links = append(links, imageLink(number, left[number]))
	}
	if len(links) == 0 {
		return ""
	}
	some := links[:min(len(links), mostLinks)]
	rest := kit.OnlyIf(len(links) > len(some), ", and "+strconv.Itoa(len(links)-len(some))+" more")
	return "I could not upload these photos. Their links: " + strings.Join(some, ", ") + rest + "."
}
