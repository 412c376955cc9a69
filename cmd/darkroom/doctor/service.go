package doctor

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/time/rate"

	"darkroom/order"
	"darkroom/store/keyspace"
	"darkroom/store/ratelimit"
	"darkroom/upstream"
)

const (
	clockOff  = time.Minute     // with a larger difference signatures may be refused
	clockNear = 5 * time.Second // a smaller difference is not reported
	slowReply = 3 * time.Second // a service with longer typical answers is slow
)

// service finds out the dialect of the photo service.
func (d *doctor) service(ctx context.Context) []Check {
	if lacking := d.lacking("UPSTREAM_URL", "UPSTREAM_API_KEY", "UPSTREAM_API_SECRET", "UPSTREAM_PARAMS", "UPSTREAM_SIGNATURE", "UPSTREAM_SIGNATURE_NUMBERS", "UPSTREAM_BASIC_AUTH", "UPSTREAM_RATE"); len(lacking) > 0 {
		return notChecked("address", "The photo service", lacking)
	}
	how := d.cfg.Service(d.limiter())
	how.Timeout = d.wait.service
	found, err := upstream.Discover(ctx, how)
	checks := []Check{serviceAddress(found, err)}
	if found.Dated {
		checks = append(checks, clockCheck(found.Clock))
	}
	if found.Reads != upstream.ReadsUnknown {
		checks = append(checks, signatureCheck(found))
	}
	if found.Reads == upstream.ReadsWork || found.Reads == upstream.ReadsAlike {
		checks = append(checks, parametersCheck(found, err), balanceCheck(found, d.cfg.LowCredits))
	}
	if c, known := d.namesCheck(ctx); known {
		checks = append(checks, c)
	}
	if found.Requests > 0 {
		checks = append(checks, rateCheck(found, d.cfg.UpstreamRate))
	}
	if found.Reads == upstream.ReadsUnknown {
		checks = append(checks, Check{
			Name: "everything else", State: Yellow, Message: "How requests are signed, where parameters travel and the balance could not be looked at: the service gave no clear answer.",
		})
	}
	return checks
}

// limiter shares the service's rate with the running app.
func (d *doctor) limiter() upstream.Limiter {
	if d.store == nil {
		return rate.NewLimiter(rate.Limit(d.cfg.UpstreamRate), d.cfg.UpstreamRate)
	}
	return ratelimit.NewRate(d.rdb, keyspace.Keyspace{}, d.cfg.UpstreamRate).People()
}

// operatorsWords names the settings by their variables.
var operatorsWords = upstream.Wording{
	URL: "UPSTREAM_URL", Key: "UPSTREAM_API_KEY", Secret: "UPSTREAM_API_SECRET", Asker: "doctor", Here: "this machine",
	Again: "run doctor again later", TooOften: "Try again in some minutes, or lower UPSTREAM_RATE.",
	Settings: "UPSTREAM_PARAMS and UPSTREAM_SIGNATURE_NUMBERS",
}

// saying puts a piece of advice into a check.
func (c *Check) saying(said upstream.Advice) { c.Message, c.Fix = said.Message, said.Fix }

// serviceAddress checks whether an order service was reached.
func serviceAddress(found upstream.Findings, err error) Check {
	c := Check{Name: "address", State: Red}
	switch {
	case err == nil:
		c.State = Green
	case errors.Is(err, order.ErrRateLimited):
		c.State = Yellow
	}
	c.saying(operatorsWords.Reached(found, err))
	return c
}

// clockCheck compares this machine's clock with the service's. The header Date has whole seconds.
func clockCheck(ahead time.Duration) Check {
	side := "ahead of"
	if ahead < 0 {
		side = "behind"
	}
	c := Check{Name: "clock", State: Green, Message: "This machine's clock and the service's agree."}
	if off := ahead.Abs().Round(time.Second); off > clockNear {
		c.Message = fmt.Sprintf("This machine's clock is %s %s the service's.", off, side)
		c.State, c.Fix = Yellow, "Set this machine's clock (NTP): Slack's requests are refused from five minutes on."
		if off > clockOff {
			c.State, c.Message = Red, c.Message+" Requests are signed with their time, and the service may refuse them."
		}
	}
	return c
}

// settings returns the lines of the environment that must change.
func settings(from, to upstream.Way) []string {
	var lines []string
	line := func(name, is, should string) {
		if is != should {
			lines = append(lines, name+"="+should)
		}
	}
	line("UPSTREAM_SIGNATURE", from.Signature, to.Signature)
	line("UPSTREAM_SIGNATURE_NUMBERS", from.Numbers, to.Numbers)
	line("UPSTREAM_PARAMS", from.Params, to.Params)
	line("UPSTREAM_BASIC_AUTH", strconv.FormatBool(from.BasicAuth), strconv.FormatBool(to.BasicAuth))
	return lines
}

// signatureCheck checks whether requests are signed as the service expects.
func signatureCheck(found upstream.Findings) Check {
	c := Check{Name: "signature", State: Red}
	reading := found.Found
	reading.Params = found.Configured.Params
	switch {
	case found.Reads == upstream.ReadsRefused:
		c.saying(operatorsWords.Refused(found))
	case !reading.Same(found.Configured):
		c.Message = "The service does not take requests as they are signed now; it takes them so:"
		c.Fix, c.Settings = "Set these, and restart:", settings(found.Configured, reading)
	case found.Reads == upstream.ReadsAlike:
		c.State = Yellow
		c.saying(operatorsWords.Alike(found))
	default:
		c.State, c.Message = Green, fmt.Sprintf("The service takes requests as they are signed (%s, numbers as %s).", found.Found.Signature, found.Found.Numbers)
	}
	return c
}

// parametersCheck checks whether writes put their parameters where the service reads them.
func parametersCheck(found upstream.Findings, err error) Check {
	c := Check{Name: "parameters", State: Yellow}
	c.saying(operatorsWords.Writes(found, err))
	switch {
	case found.Writes == upstream.WritesRefused:
		c.State = Red
	case found.Writes == upstream.WritesUnasked:
		c.Fix = "Set UPSTREAM_PARAMS as the service's documentation says. " + c.Fix
	case found.Writes == upstream.WritesUntold, found.Writes == upstream.WritesUnknown:
	case !found.Found.Same(found.Configured) && (found.Found.Params != found.Configured.Params || found.Found.Numbers == "sent"): // else signatureCheck reports it
		c.State, c.Settings = Red, settings(found.Configured, found.Found)
		if len(c.Settings) == 1 && found.Found.Params == "query-only" {
			c.State, c.Fix = Yellow, "Set this, and restart, so that people read why an order is too long:"
			break
		}
		c.Message, c.Fix = "The service does not read the parameters of POST and DELETE as they are sent now; it reads them so:", "Set these, and restart:"
	case found.Writes == upstream.WritesWork && found.Long:
		c.State = Green
		c.Message = fmt.Sprintf("The service reads parameters where they are sent (%s): it looked for a made-up order to approve, in few words and in many, and to cancel.", found.Found.Params)
	}
	return c
}

// balanceCheck compares the credits with LOW_CREDITS.
func balanceCheck(found upstream.Findings, lowest string) Check {
	credits := found.Credits.Decimal
	c := Check{Name: "balance", State: Green, Message: "The account has " + credits.String() + " credits."}
	low, err := decimal.NewFromString(lowest)
	switch {
	case credits.Sign() <= 0:
		c.State, c.Message, c.Fix = Yellow, "The account has no credits: no order can be placed.", "Buy credits at the service."
	case err == nil && credits.LessThan(low):
		c.State, c.Fix = Yellow, "Buy credits at the service."
		c.Message = fmt.Sprintf("The account has %s credits, fewer than LOW_CREDITS (%s).", credits, low)
	}
	return c
}

// namesCheck checks whether the service keeps the names of orders, as far as its answers have shown.
func (d *doctor) namesCheck(ctx context.Context) (c Check, known bool) {
	if d.store == nil {
		return c, false
	}
	ctx, cancel := context.WithTimeout(ctx, d.wait.redis)
	defer cancel()
	names, err := d.store.AccountNames.Of(ctx, d.cfg.Account().ID())
	switch {
	case err != nil: // the check of Redis reports it
		return c, false
	case names.Own:
		return ownNames("", "Ask the service to keep project names whole."), true
	case names.Kept.Letters > 0:
		return Check{Name: "names", State: Green, Message: fmt.Sprintf("The service keeps the names that orders are given, %d characters at least: an order whose answer is lost is found by its name.", names.Kept.Letters)}, true
	}
	return c, false
}

// ownNames returns the check for a service that changes names.
func ownNames(where, fix string) Check {
	return Check{
		Name: "names", State: Yellow,
		Message: "The service does not keep the names that orders are given" + where + ": an order whose answer is lost may be there although the app does not find it. Then its person is told that nobody knows, and decides.",
		Fix:     fix + " Another account begins anew.",
	}
}

// rateCheck checks how fast the service answers, and whether it refused requests as too many.
func rateCheck(found upstream.Findings, allowed int) Check {
	took := found.Typical.Round(time.Millisecond)
	c := Check{Name: "rate", State: Green, Message: fmt.Sprintf("%d requests were answered, typically in %s, none refused for coming too often; UPSTREAM_RATE allows %d a second.", found.Requests, took, allowed)}
	if found.Requests == 1 {
		c.Message = fmt.Sprintf("One request was answered, in %s, and not refused for coming too often; UPSTREAM_RATE allows %d a second.", took, allowed)
	}
	switch {
	case found.TooMany > 0:
		c.State, c.Fix = Yellow, "Lower UPSTREAM_RATE, and let nobody else use this key."
		c.Message = fmt.Sprintf("The service turned %d of %d requests away for coming too often, although no more than %d a second went out (UPSTREAM_RATE).", found.TooMany, found.Requests, allowed)
	case found.Typical > slowReply && found.Requests == 1:
		c.State, c.Message = Yellow, fmt.Sprintf("The service is slow: it took %s to answer one request.", took)
	case found.Typical > slowReply:
		c.State, c.Message = Yellow, fmt.Sprintf("The service is slow: half of %d requests took longer than %s.", found.Requests, took)
	}
	return c
}
