package review

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

const (
	maxName    = 120  // characters of a photo's name
	maxAsked   = 2000 // characters of what was asked for a photo
	maxSources = 3000 // bytes of all hosts that a page gets pictures from; proxies bound an answer's head

	// originalLife is how long the address of an original works. It begins with the hour, so that a browser that comes
	// back within it has the picture.
	originalLife = 12 * time.Hour
)

// photo is one photo of a page.
type photo struct {
	title    string // "3 · beach.jpg"
	edit     string // see [order.EditedImage.Edit]
	versions []version
	heading  string // of what was asked
	asked    string
}

// version is one picture of a photo. instead is a smaller one for a source that cannot be had; "": there is none.
type version struct{ label, source, instead string }

// page is what one round shows.
type page struct {
	round  int
	photos []photo
	marks  string   // HTML of the part that sets pins; "": the page only compares
	hosts  []string // the origins of all pictures, as a policy names them
}

// pageOf returns the page of the order's present round, with its photos numbered as in Slack.
func (h *Handler) pageOf(t store.Tracked, events []order.Event, workspace string) *page {
	p := &page{round: t.Order.Rev()}
	latest := order.Latest(t.Order.EditedImages)
	c := cards.CurrentRound(events)
	changed, _ := c.Changed(latest)
	var sources []int
	if t.Brief != nil {
		sources = t.Brief.Match(latest)
	}
	for i, image := range latest {
		change := cards.ChangeAt(changed, i, image)
		one := photo{title: kit.Clip(strconv.Itoa(i+1)+" · "+cards.ImageName(image), maxName), edit: image.Edit()}
		var source order.Source
		if t.Brief != nil && sources[i] >= 0 {
			source = t.Brief.Sources[sources[i]]
		}
		one.heading, one.asked = "Instructions", firstAsked(t.Brief, source)
		if c.Before != nil {
			one.heading, one.asked = "Changes requested after "+cards.Round(c.Before.Order.Rev()), changesAsked(c, change)
		}
		p.add(&one, "Original", h.original(source, workspace))
		if change.Before != nil {
			p.add(&one, "Last Round", change.Before.Origin, change.Before.Thumb)
		}
		p.add(&one, "This Round", image.Origin, image.Thumb)
		p.photos = append(p.photos, one)
	}
	return p
}

// original returns the address of an ordered photo, "" for the zero source. One in Slack has an address of ours.
func (h *Handler) original(s order.Source, workspace string) string {
	if s.File == "" {
		return s.URL
	}
	return h.Signer.In(workspace).URLUntil(s.File, s.Name, h.Now().Truncate(time.Hour).Add(originalLife))
}

// add adds a version, unless none of its addresses can be shown.
func (p *page) add(to *photo, label string, addresses ...string) {
	addresses = slices.DeleteFunc(slices.Compact(addresses), func(a string) bool { return !p.allow(a) })
	if len(addresses) > 0 {
		to.versions = append(to.versions, version{label, addresses[0], strings.Join(addresses[1:], "")})
	}
}

// allow has the page's policy allow the host of an address. It returns false for an address that is no picture's.
func (p *page) allow(address string) bool {
	host := origin(address)
	if host == "" || len(address) > kit.MaxURL {
		return false
	}
	if !slices.Contains(p.hosts, host) {
		if len(strings.Join(p.hosts, " "))+len(host) > maxSources {
			return false
		}
		p.hosts = append(p.hosts, host)
	}
	return true
}

// plainHost matches a host that means only itself in a policy: no wildcard, and no sign that ends a source.
var plainHost = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$`)

// origin returns the origin of a web address as a policy names it, or "" for any other address.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || !order.WebAddress(address) || u.User != nil || !plainHost.MatchString(strings.ToLower(u.Host)) {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}

// firstAsked returns what was ordered for a photo, whose source may be zero.
func firstAsked(b *order.Brief, source order.Source) string {
	if b == nil {
		return "I have no record of this order's instructions."
	}
	return readable(append(slices.Clone(b.Instructions), source.Instruction))
}

// changesAsked returns what was asked for a photo after the round before.
func changesAsked(c cards.RoundHistory, change cards.Change) string {
	if c.Asked == nil {
		return "I have no record of that request."
	}
	asked := cards.RequestOf(c, nil)
	if own := asked.Of(change); len(own) > 0 {
		return readable(own)
	}
	before := change.After.ID
	if change.Before != nil {
		before = change.Before.ID
	}
	if slices.Contains(asked.Good, before) {
		return "None: this photo was marked Good."
	}
	return readable(asked.Words)
}

// mention matches a person in typed text.
var mention = regexp.MustCompile(`<@[A-Z0-9]+(\|[^<>]*)?>`)

// readable joins what was asked. It names no person.
func readable(words []string) string {
	said := strings.Join(order.NonBlank(words), "\n")
	if said == "" {
		return "Nothing in particular."
	}
	return kit.Clip(mention.ReplaceAllString(said, kit.Unnamed), maxAsked)
}
