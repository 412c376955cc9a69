package cards

import (
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

// ZIPs gives the address of a ZIP with the edited images of an order, as it is given: those of its round. "": there
// is none.
type ZIPs func(t store.Tracked) string

const labelDownload = "Download all"

// download is the link to the images of an order as a ZIP; none while there are no images, or no ZIPs.
func (t Thumbs) download(seen store.Tracked) []slack.BlockElement {
	if t.ZIP == nil || len(seen.Order.EditedImages) == 0 {
		return nil
	}
	address := t.ZIP(seen)
	if !isWeb(address) || units(address) > maxURL {
		return nil
	}
	return []slack.BlockElement{pressOf(seen, labelDownload, labelDownload+" images of", ActionDownload, Value(seen.ID, seen.Order.Rev())).WithURL(address)}
}

// ZIPName is what a ZIP of an order's images is called: "Smith wedding K7Q2XM round 2".
func ZIPName(t store.Tracked) string {
	name, _ := projectName(t)
	return strings.Join(strings.Fields(plain(name, 80)+" "+t.Reference+" "+laterRound(t.Order.Rev())), " ")
}
