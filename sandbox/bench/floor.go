package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"time"
)

// signingSecret is the one with which everything is signed that the generator sends.
const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5"

// oldest is how far a request's timestamp may be off, as Slack advises.
const oldest = 5 * time.Minute

// serveFloor is the least that any app can do, in the plainest Go: read the body, verify
// Slack's signature over it, answer 200.
func serveFloor(ctx context.Context, addr string) error {
	server := &http.Server{Addr: addr, Handler: http.HandlerFunc(floor), ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	return server.ListenAndServe()
}

func floor(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, "body", http.StatusBadRequest)
		return
	}
	stamp := r.Header.Get("X-Slack-Request-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if off := time.Since(time.Unix(seconds, 0)).Abs(); err != nil || off > oldest {
		http.Error(w, "timestamp", http.StatusUnauthorized)
		return
	}
	mac := hmac.New(sha256.New, []byte(signingSecret))
	_, _ = io.WriteString(mac, "v0:"+stamp+":") // a hash never fails
	_, _ = mac.Write(body)
	want := "v0=" + hex.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(want), []byte(r.Header.Get("X-Slack-Signature"))) {
		http.Error(w, "signature", http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusOK)
}
