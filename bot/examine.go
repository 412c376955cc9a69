package bot

import (
	"strconv"
	"strings"
	"time"
)

// URLVerification is a request with a challenge as Slack sends it to verify a request URL, signed
// with a secret, the first of several, at a time. Its answer is the challenge. The challenge should begin with [Probe].
func URLVerification(secrets, challenge string, at time.Time) (body []byte, header map[string]string) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	body = []byte(`{"type":"` + typeURLVerification + `","challenge":"` + challenge + `"}`)
	secret, _, _ := strings.Cut(secrets, ",")
	signature := (&signatures{secret: strings.TrimSpace(secret)}).of(timestamp, body)
	return body, map[string]string{
		"Content-Type": jsonType, "X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": string(signature[:]),
	}
}
