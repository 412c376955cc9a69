package upstream

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"

	"darkroom/order"
)

// madeUp is the id of an order that does not exist. It begins with a letter, because a database
// that takes texts for numbers reads "12-x" as 12.
func madeUp() string { return "darkroom-doctor-" + rand.Text() }

// noSuchOrder is an order that the service said it does not have.
type noSuchOrder struct {
	id   string
	says string // in which words, "" when it did not say
}

// writes finds where the parameters of writes travel. ways are how reads are signed.
func (d *discovery) writes(ctx context.Context, ways []Way) error {
	no, said, err := d.ask(ctx, ways[0])
	if err != nil {
		return err
	}
	if !said {
		d.Writes = WritesUnasked
		return nil
	}
	// The same without a signature: what is answered to it proves nothing.
	if known, err := d.refuses(ctx, d.Configured, no.approve(true), no); err != nil || known {
		if known {
			d.Writes = WritesUntold
		}
		return err
	}
	best := 0
	for _, way := range writingWays(ways, d.Configured) {
		if d.Requests+3 > mostRequests {
			break
		}
		short, err := d.refuses(ctx, way, no.approve(false), no)
		if err != nil {
			return err
		}
		if !short {
			continue
		}
		cancels, err := d.refuses(ctx, way, no.cancel(), no)
		if err != nil {
			return err
		}
		long := false
		if way.Params != inQueryOnly {
			if long, err = d.refuses(ctx, way, no.approveAtLength(), no); err != nil {
				return err
			}
		}
		if good := goodness(cancels, long); good > best {
			best = good
			d.found(way, cancels, long)
		}
		if cancels && (long || way.Params == inQueryOnly) {
			return nil
		}
	}
	if d.Writes == WritesUnknown {
		d.Writes = WritesRefused
	}
	return nil
}

// goodness ranks ways by what they are good for beside a short POST; it is more than 0.
func goodness(cancels, long bool) int {
	good := 1
	if cancels {
		good += 2
	}
	if long {
		good++
	}
	return good
}

// found keeps a way that works, at least for a short POST. Of a JSON body it does not tell whether reads are flat.
func (d *discovery) found(way Way, cancels, long bool) {
	if way.Params == inQuery && !long {
		way.Params = inQueryOnly
	}
	if way.Params != inJSON {
		d.Reads = ReadsWork
	}
	d.Found, d.Long, d.Writes = way, long, WritesNoDelete
	if cancels {
		d.Writes = WritesWork
	}
}

// ask makes an order up and fetches it. said reports whether the service answered that there is no
// such order: with 404, or in words that say so. Nothing is ever sent to approve or cancel it before;
// other words may be those of a service that never looked for it.
func (d *discovery) ask(ctx context.Context, way Way) (no noSuchOrder, said bool, err error) {
	no = noSuchOrder{id: madeUp()}
	r := request{op: "fetch", method: http.MethodGet, path: "/orders/" + no.id}
	a, refused, err := d.try(ctx, way, r)
	if err != nil {
		return no, false, err
	}
	texts, missing := a.form.Errors.texts, a.status == http.StatusNotFound
	switch {
	case refused == nil, tellsOrder(a.form.Data):
		return no, false, ErrMadeUpOrder
	case !missing && !errors.Is(refused, order.ErrRefused):
		return no, false, refused // an inner failure
	}
	no.says = words(texts, no.id)
	return no, missing || unknownOrder(r.op, texts), nil
}

// unknownOrder reports whether a refusal says that there is no such order, and nothing else.
func unknownOrder(op string, texts []string) bool {
	other := func(text string) bool { return !errors.Is(order.ReasonOf(op, text), order.ErrInvalidOrder) }
	return len(texts) > 0 && !slices.ContainsFunc(texts, other)
}

// approve asks to approve it, for the signature of which no secret is needed when it is forged.
func (n noSuchOrder) approve(forged bool) request {
	return request{op: "approve", method: http.MethodPost, path: "/orders/" + n.id + "/approve", params: params{"feedback": nasty}, forged: forged}
}

// approveAtLength is as long as an order of many photos: a query has no room for it.
func (n noSuchOrder) approveAtLength() request {
	r := n.approve(false)
	r.params = params{"feedback": slices.Repeat([]string{strings.Repeat("https://example.com/", 20)}, 50)}
	return r
}

func (n noSuchOrder) cancel() request {
	return request{op: "cancel", method: http.MethodDelete, path: "/orders/cancel", params: params{"order_id": n.id, "cancel_reason": nasty}}
}

// refuses reports whether the service answers that there is no such order: then it has read the
// parameters and the signature. Success ends the discovery.
func (d *discovery) refuses(ctx context.Context, way Way, r request, no noSuchOrder) (bool, error) {
	a, refused, err := d.try(ctx, way, r)
	if err != nil {
		return false, err
	}
	if refused == nil || tellsOrder(a.form.Data) {
		return false, ErrMadeUpOrder
	}
	texts := a.form.Errors.texts
	return len(texts) > 0 && (words(texts, no.id) == no.says || unknownOrder(r.op, texts)), nil
}
