package upstream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// somePage returns a page of twenty orders as the service writes it.
func somePage() []byte {
	var rows []map[string]any
	for i := range 20 {
		rows = append(rows, map[string]any{
			"order_id": fmt.Sprintf("ord-%07d", i), "project_name": "Smith wedding [K7Q2XM]", "customer_id": 12345, "price": 12.5,
			"status": "editing", "revision": 0, "ordered_at": time.Date(2026, 3, 1, 9, i, 0, 0, time.UTC).Format(time.RFC3339),
		})
	}
	body, err := json.Marshal(map[string]any{
		"errors": []string{}, "per_page": 20, "current_page": 1, "total_pages": 500, "total_results": 10_000,
		"filter_status": "all", "filter_keywords": "", "filter_customer_id": "", "sort_by": "ordered_at", "data": rows,
	})
	if err != nil {
		panic(err)
	}
	return body
}

// BenchmarkPage judges and decodes a page of the list.
func BenchmarkPage(b *testing.B) {
	body := somePage()
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		a := answer{status: 200, body: body}
		if err := a.toError(request{op: "list", method: "GET"}); err != nil {
			b.Fatal(err)
		}
		page, err := a.form.page()
		if err != nil || len(page.Orders) != 20 {
			b.Fatal(err, len(page.Orders))
		}
	}
}

// The shortcuts for plain values give the same results as decoding.
func FuzzPlainValues(f *testing.F) {
	for _, seed := range []string{`"a"`, `""`, `"\u0041"`, `"ä"`, "\"\xff\"", `12`, `007`, `-1`, `1e3`, `9999999999`, `12345678901234567890`, `null`, `true`, `{"a":1}`, `{"1":{}}`, `{"-1":1}`, `{"\u0031":1}`, `{}`, `{ "x":1}`, `[1]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		value := bytes.TrimSpace(raw)
		if !json.Valid(value) {
			return
		}
		var s string
		var plain text
		if _ = plain.UnmarshalJSON(value); value[0] == '"' && json.Unmarshal(value, &s) == nil && string(plain) != s {
			t.Errorf("%s is read as %q", value, plain)
		}
		if n, is := shortNumber(value); is {
			var a amount
			_ = a.UnmarshalJSON(value)
			if !a.Valid || !a.Decimal.Equal(decimal.NewFromInt(int64(n))) || n > math.MaxInt32 {
				t.Errorf("%s is read as %d", value, n)
			}
		}
		var numbered map[int]json.RawMessage
		if value[0] == '{' && hasNames(value) && json.Unmarshal(value, &numbered) == nil {
			t.Errorf("%s has numbers for keys", value)
		}
	})
}
