package kit

import (
	"strings"

	"darkroom/order"
)

// Link is a link to an address somebody else gave; only the label when it is none.
func Link(address, label string) string {
	safe := strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C").Replace(address)
	if !order.WebAddress(address) || Units(safe) > MaxURL {
		return label
	}
	return "<" + safe + "|" + strings.ReplaceAll(inLabel.Replace(label), "|", "¦") + ">"
}
