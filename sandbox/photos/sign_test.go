package photos_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// The signatures below were computed by PHP 8.2 (json_encode, hash_hmac) and by
// Python 3 (json.dumps with sort_keys, hmac), not by any code of ours.
const (
	signedAt = 1512787346
	keywords = "[\"caf\\u00e9/\\\"<&'> \\ud83d\\udcf7\\\\\\b\\f\\n\\r\\t\\u0001\\u007f\\u2028\"]"
)

func at(seconds int64) func() time.Time {
	return func() time.Time { return time.Unix(seconds, 0) }
}

func TestSignaturesOfOtherLanguagesAreAccepted(t *testing.T) {
	tests := map[string]struct {
		dialect   photos.Dialect
		numbers   bool
		signature string
	}{
		"php with strings":    {photos.PHP, false, "55196d1908d986eba3991053ed89c9832a06f3f7cacba3c4342a7ebe555257d7"},
		"plain with strings":  {photos.Plain, false, "3871850274c2db4af7fae22af3d6b1e83e32497b727d53351f2985cd0ed7cabb"},
		"python with strings": {photos.Python, false, "0c26d4b3c2de01f4828b45ea29302980541fe0700fc0d8d16ef65c4e99f84f59"},
		"python with numbers": {photos.Python, true, "5a040366cadead47e3060c68a36febcc47c9af42c80f27bc809643e697b92756"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, photos.Options{Signature: test.dialect, NumbersAsNumbers: test.numbers, Now: at(signedAt)})
			f := fields{"api_key": "sandbox-key", "timestamp": "1512787346", "page": "2", "filter_keywords": keywords, "signature": test.signature}
			r := c.raw(http.MethodGet, "/orders", f)
			assert.Equal(t, http.StatusOK, r.status, r.body)
			f["page"] = "3"
			assert.Equal(t, http.StatusUnauthorized, c.raw(http.MethodGet, "/orders", f).status)
		})
	}
}

func TestASignedMapKeepsTheOrderInWhichItWasSent(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	f := fields{
		"api_key": "sandbox-key", "timestamp": "1512787346", "instructions": `{"sh38nsk":["a"],"12":["b"]}`,
		"signature": "7d55395b4444f5a69097d018bc2e279be79591b625c7464d8f8f4502ce7bd50c",
	}
	c.raw(http.MethodPost, "/orders/x/revise", f).refused(t, "invalid order id")
}

func TestWrongSignaturesAreUnauthorized(t *testing.T) {
	now := at(signedAt)
	tests := map[string]func(*client){
		"wrong secret":       func(c *client) { c.secret = "guess" },
		"wrong key":          func(c *client) { c.key = "guess" },
		"wrong dialect":      func(c *client) { c.serialize = func(f map[string]any) string { return compact(f) } },
		"a clock too slow":   func(c *client) { c.now = at(signedAt - 301) },
		"a clock too fast":   func(c *client) { c.now = at(signedAt + 301) },
		"parameters missing": func(c *client) { c.serialize = func(map[string]any) string { return "{}" } },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, photos.Options{Now: now})
			spoil(c)
			r := c.get("/orders", fields{"filter_keywords": []string{"a/b/c/d"}})
			assert.Equal(t, http.StatusUnauthorized, r.status)
			require.Len(t, r.Errors, 1)
			assert.Contains(t, r.Errors[0], "invalid signature")
			assert.Equal(t, now().UTC().Format(http.TimeFormat), r.header.Get("Date"))
		})
	}
}

func TestAClockWithinTheWindowIsAccepted(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	c.now = at(signedAt - 299)
	assert.Equal(t, http.StatusOK, c.get("/account/balance", nil).status)
}

func TestBasicAuthIsDemandedWhenAskedFor(t *testing.T) {
	c := start(t, photos.Options{BasicAuth: true})
	assert.Equal(t, http.StatusUnauthorized, c.get("/account/balance", nil).status)
	c.base = strings.Replace(c.base, "http://", "http://sandbox-key:sandbox-secret@", 1)
	assert.Equal(t, http.StatusOK, c.get("/account/balance", nil).status)
	for _, r := range c.service.Requests() {
		assert.Subset(t, []string{"", "***"}, []string{r.Header.Get("Authorization")})
	}
}

func TestParametersTravelAnywhere(t *testing.T) {
	g := gallery(t)
	for _, in := range []photos.Placement{photos.Query, photos.FormBody, photos.JSONBody} {
		t.Run(string(in), func(t *testing.T) {
			c := start(t, photos.Options{})
			c.in = in
			order := c.post("/orders/create", newOrder(g+"/beach.jpg")).order(t)
			c.delete("/orders/cancel", fields{"order_id": order.ID, "cancel_reason": []string{"é"}}).order(t)
			requests := c.service.Requests()
			assert.Equal(t, in, requests[len(requests)-1].In)
			assert.Equal(t, `["é"]`, requests[len(requests)-1].Params["cancel_reason"])
		})
	}
}

func TestParametersInTheWrongPlaceAreNotRead(t *testing.T) {
	tests := map[photos.Placement]map[photos.Placement]int{
		photos.Query:     {photos.Query: 200, photos.FormBody: 200, photos.JSONBody: 401},
		photos.QueryOnly: {photos.Query: 200, photos.FormBody: 401, photos.JSONBody: 401},
		photos.FormBody:  {photos.Query: 401, photos.FormBody: 200, photos.JSONBody: 401},
		photos.JSONBody:  {photos.Query: 401, photos.FormBody: 401, photos.JSONBody: 200},
	}
	for reads, sent := range tests {
		c := start(t, photos.Options{Params: reads})
		for in, status := range sent {
			c.in = in
			assert.Equal(t, status, c.post("/orders/none/approve", nil).status, "reads %s, sent in %s", reads, in)
		}
		assert.Equal(t, http.StatusOK, c.get("/account/balance", nil).status)
	}
}

// PHP fills $_REQUEST from the body of a POST alone.
func TestAQueryServiceReadsNoBodyOfADelete(t *testing.T) {
	c := start(t, photos.Options{Params: photos.Query})
	cancel := fields{"order_id": "none"}
	c.delete("/orders/cancel", cancel).refused(t, "invalid order id")
	c.in = photos.FormBody
	assert.Equal(t, http.StatusUnauthorized, c.delete("/orders/cancel", cancel).status)
}

// The signature was computed by PHP 8.2: json_encode of the sorted $_REQUEST, in which an array is the text that was sent.
func TestArraysAreSignedAsTheTextThatWasSent(t *testing.T) {
	c := start(t, photos.Options{ArraysAsSent: true, Now: at(signedAt)})
	f := fields{"api_key": "sandbox-key", "timestamp": "1512787346", "feedback": `["a/b","\u00e9"]`, "signature": "4f1863a9a7c08ca05912bc59a53b29f01b6aceed90cd82e0002626c3a42cd9fd"}
	c.raw(http.MethodPost, "/orders/none/approve", f).refused(t, "invalid order id")
	c.in = photos.FormBody
	c.raw(http.MethodPost, "/orders/none/approve", f).refused(t, "invalid order id")
	f["feedback"] = `["a\/b","\u00e9"]`
	assert.Equal(t, http.StatusUnauthorized, c.raw(http.MethodPost, "/orders/none/approve", f).status)
}

func TestArraysOfAJSONBodyAreSignedNested(t *testing.T) {
	c := start(t, photos.Options{ArraysAsSent: true})
	c.in = photos.JSONBody
	c.post("/orders/none/approve", fields{"feedback": []string{"a/b"}}).refused(t, "invalid order id")
}

func TestNumbersOfAJSONBodyAreSignedAsConfigured(t *testing.T) {
	for _, o := range []photos.Options{{NumbersAsNumbers: true}, {NumbersAsSent: true}, {}} {
		numbers := o.NumbersAsNumbers || o.NumbersAsSent
		c := start(t, o)
		c.in = photos.JSONBody
		c.serialize = func(f map[string]any) string {
			f["timestamp"] = c.now().Unix() // sent as a number either way
			signed := fields{"timestamp": f["timestamp"], "api_key": c.key}
			if !numbers {
				signed["timestamp"] = compact(f["timestamp"])
			}
			return phpJSON(signed)
		}
		c.post("/orders/none/approve", nil).refused(t, "invalid order id")
	}
}

func TestNumbersOfAQueryThatAreSignedAsTheyCameAreStrings(t *testing.T) {
	c := start(t, photos.Options{NumbersAsSent: true})
	assert.Equal(t, http.StatusOK, c.get("/orders", fields{"page": "1"}).status)
}

func TestAJSONBodySaysItsIntegersAsIntegers(t *testing.T) {
	c := start(t, photos.Options{})
	for _, timestamp := range []string{`"1512787346"`, `1512787346.5`, `null`} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/orders/x/approve", strings.NewReader(`{"timestamp":`+timestamp+`}`))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		c.do(request).refused(t, "timestamp must be an integer")
	}
}

func TestUnreadableBodiesAreRefused(t *testing.T) {
	c := start(t, photos.Options{})
	tests := map[string][2]string{
		"no JSON":         {"application/json", "{"},
		"two values":      {"application/json", "{} {}"},
		"no object":       {"application/json", "[]"},
		"no form":         {"application/x-www-form-urlencoded", "%zz"},
		"no content type": {"", "a=b"},
		"too large":       {"application/json", strings.Repeat(" ", 2<<20)},
	}
	for name, test := range tests {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/orders/create", strings.NewReader(test[1]))
		require.NoError(t, err)
		request.Header.Set("Content-Type", test[0])
		r := c.do(request)
		assert.Equal(t, http.StatusBadRequest, r.status, name)
		assert.Len(t, r.Errors, 1, name)
	}
}
