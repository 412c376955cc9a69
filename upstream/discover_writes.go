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

// madeUp returns the ID of an order that does not exist. It starts with a letter, because a database that
// converts text to numbers reads "12-x" as 12.
func madeUp() string { return "darkroom-doctor-" + rand.Text() }

// noSuchOrder is a made-up order.
type noSuchOrder struct {
	id   string
	says string // the service's words for its absence; "": it gave none
}

// writes finds the place of write parameters. ways are the possible ways to sign.
func (d *discovery) writes(ctx context.Context, ways []Way) error {
	no, missing, err := d.fetchMadeUp(ctx, ways[0])
	if err != nil {
		return err
	}
	if !missing {
		d.Writes = WritesUnasked
		return nil
	}
	// If a request with a wrong signature has the same answer, that answer proves nothing.
	if untold, err := d.refuses(ctx, d.Configured, no.approve(true), no); err != nil || untold {
		if untold {
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

// goodness ranks a way that works for a short POST; it is more than 0.
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

// found records a way that works for a short POST. A JSON body does not show whether reads are flat.
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

// fetchMadeUp fetches a made-up order. missing reports whether the service said that it does not exist, with 404 or in
// recognized words. Other words may come from a service that never looked for the order. No write for the order may
// be sent before.
func (d *discovery) fetchMadeUp(ctx context.Context, way Way) (no noSuchOrder, missing bool, err error) {
	no = noSuchOrder{id: madeUp()}
	r := request{op: "fetch", method: http.MethodGet, path: "/orders/" + no.id}
	a, refused, err := d.try(ctx, way, r)
	if err != nil {
		return no, false, err
	}
	texts := a.form.Errors.texts
	missing = a.status == http.StatusNotFound
	switch {
	case refused == nil, hasOrder(a.form.Data):
		return no, false, ErrMadeUpOrder
	case !missing && !errors.Is(refused, order.ErrRefused):
		return no, false, refused // an internal failure
	}
	no.says = withoutID(texts, no.id)
	return no, missing || unknownOrder(r.op, texts), nil
}

// unknownOrder reports whether a refusal says that the order does not exist, and nothing else.
func unknownOrder(op string, texts []string) bool {
	other := func(text string) bool { return !errors.Is(order.ReasonOf(op, text), order.ErrInvalidOrder) }
	return len(texts) > 0 && !slices.ContainsFunc(texts, other)
}

// approve is a request to approve the order, with a wrong signature if forged.
func (n noSuchOrder) approve(forged bool) request {
	return request{op: "approve", method: http.MethodPost, path: "/orders/" + n.id + "/approve", params: params{"feedback": nasty}, forged: forged}
}

// approveAtLength is approve with parameters as long as those of an order of many photos. They exceed a query.
func (n noSuchOrder) approveAtLength() request {
	r := n.approve(false)
	r.params = params{"feedback": slices.Repeat([]string{strings.Repeat("https://example.com/", 20)}, 50)}
	return r
}

func (n noSuchOrder) cancel() request {
	return request{op: "cancel", method: http.MethodDelete, path: "/orders/cancel", params: params{"order_id": n.id, "cancel_reason": nasty}}
}

// refuses reports whether the service answers that the order does not exist. Then it read the parameters and
// the signature. Success ends the discovery.
func (d *discovery) refuses(ctx context.Context, way Way, r request, no noSuchOrder) (bool, error) {
	a, refused, err := d.try(ctx, way, r)
	if err != nil {
		return false, err
	}
	if refused == nil || hasOrder(a.form.Data) {
		return false, ErrMadeUpOrder
	}
	texts := a.form.Errors.texts
	return len(texts) > 0 && (withoutID(texts, no.id) == no.says || unknownOrder(r.op, texts)), nil
}
