// Command floor is the least that any app can do with what Slack sends, in the plainest Go: read
// the body, verify Slack's signature over it, answer 200. The bench measures Darkroom's door
// beside it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"
)

// oldest is how far a request's timestamp may be off, as Slack advises.
const oldest = 5 * time.Minute

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	secret := flag.String("secret", "", "the signing secret")
	flag.Parse()
	server := &http.Server{Addr: *addr, Handler: floor([]byte(*secret)), ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// floor believes what is signed with the secret.
func floor(secret []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
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
		mac := hmac.New(sha256.New, secret)
		_, _ = io.WriteString(mac, "v0:"+stamp+":") // a hash never fails
		_, _ = mac.Write(body)
		want := "v0=" + hex.EncodeToString(mac.Sum(nil))
		if !hmac.Equal([]byte(want), []byte(r.Header.Get("X-Slack-Signature"))) {
			http.Error(w, "signature", http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusOK)
	}
}
