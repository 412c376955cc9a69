package kit

import (
	"strings"

	"darkroom/order"
)

// Link returns a link to an address that somebody gave. It returns only the label if the address is invalid or
// too long.
func Link(address, label string) string {
	safe := strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C").Replace(address)
	if !order.WebAddress(address) || Units(safe) > MaxURL {
		return label
	}
	return "<" + safe + "|" + strings.ReplaceAll(inLabel.Replace(label), "|", "¦") + ">"
}
