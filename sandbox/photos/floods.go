package photos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Floods carries the call out and answers more than anybody reads: so many lines of conversation in each order, none of
// which was there before, under a revision that counts up with each answer. A line has words of that many bytes; with 0
// it is an empty object. A list has the revision alone.
func Floods(lines, size int) Fault {
	var answers atomic.Int64
	return Fault{name: "floods", after: func(s *Service, w http.ResponseWriter, a answer) bool {
		var fields map[string]json.RawMessage
		if json.Unmarshal(a.encode(), &fields) != nil {
			return false // a picture
		}
		orders, one := []map[string]any{}, map[string]any{}
		if json.Unmarshal(fields["data"], &orders) != nil {
			if json.Unmarshal(fields["data"], &one) != nil || one["order_id"] == nil {
				return false
			}
			orders = append(orders, one)
		}
		n := answers.Add(1)
		for _, o := range orders {
			o["revision"] = n
			if fields["per_page"] == nil {
				o["conversations"] = flood(n, lines, size, s.opts.Now())
			}
		}
		fields["data"], _ = json.Marshal(orders)
		answer{status: a.status, body: fields}.write(w)
		return true
	}}
}

// flood is the conversation of an answer, newest first.
func flood(answer int64, lines, size int, now time.Time) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		if size == 0 {
			b.WriteString("{}")
			continue
		}
		words := strconv.FormatInt(answer, 10) + "/" + strconv.Itoa(i)
		words += string(bytes.Repeat([]byte(" "), max(0, size-len(words)-1))) + "."
		fmt.Fprintf(&b, `{"from":"service","content":%q,"revision":%d,"created_at":%q}`, words, answer, timestamp(now))
	}
	b.WriteByte(']')
	return b.Bytes()
}

// Trickles sends the first kilobyte of a picture, and the rest at so many bytes a second, without a pause.
func Trickles(perSecond int) Fault {
	return Fault{name: "trickles", after: func(s *Service, w http.ResponseWriter, a answer) bool {
		w.Header().Set("Content-Type", or(a.kind, jsonKind))
		control := http.NewResponseController(w)
		drip := time.NewTicker(time.Second / time.Duration(perSecond))
		defer drip.Stop()
		body := a.encode()
		_, _ = w.Write(body[:min(1000, len(body))])
		for rest := body[min(1000, len(body)):]; len(rest) > 0; rest = rest[1:] {
			if _, err := w.Write(rest[:1]); err != nil || control.Flush() != nil {
				return true
			}
			select {
			case <-drip.C:
			case <-s.ctx.Done():
				return true
			}
		}
		return true
	}}
}
