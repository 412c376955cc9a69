package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// unreachable returns the finding for a Redis that cannot be used at all.
func unreachable(err error) Finding {
	says, do := refusedBy(causeOf(err))
	if says == "" {
		says, do = noConnection(err)
	}
	return Finding{About: "connection", Level: Bad, Message: says, Do: do}
}

// refusedBy returns the finding's sentences for an error that Redis answered; "" for unknown errors.
func refusedBy(cause string) (says, do string) {
	has := func(words string) bool { return strings.Contains(cause, words) }
	switch {
	case has("NOAUTH"), has("WRONGPASS"), has("invalid username-password"):
		return "Redis does not accept the password.", "Correct the user and password in REDIS_URL."
	case has("NOPERM"):
		return "Redis forbids the user of REDIS_URL what the app does (" + cause + ").", allowUser
	case has("LOADING"):
		return "Redis is still loading its data.", "Wait: it answers when it has done so."
	case has("DB index is out of range"):
		return "Redis has no database of the number in REDIS_URL (" + cause + ").", "Correct the number (/0, or ?db=0), or raise \"databases\" in redis.conf."
	case has("cluster support disabled"):
		return "REDIS_URL asks for a cluster, and what answers is none (" + cause + ").", "Begin it with redis:// and leave ?addr= out, or let it lead to a cluster."
	case has("CLUSTERDOWN"):
		return "The cluster lacks servers for some of its keys (" + cause + ").", "Look at \"redis-cli cluster info\", and bring the missing servers back."
	case has("sentinel"):
		return "REDIS_URL asks for Sentinels (?master_name=), and none answers as one.", "Let it lead to the Sentinels, mostly at port 26379, or leave ?master_name= out."
	}
	return "", ""
}

// allowUser is the remedy for a user with too few permissions.
const allowUser = "Allow that user all commands and the keys {darkroom}:*, with redis-cli: ACL SETUSER name +@all ~{darkroom}:*"

// noConnection returns the finding's sentences if Redis gave no proper answer.
func noConnection(err error) (says, do string) {
	_, noName := errors.AsType[*net.DNSError](err)
	_, noTLS := errors.AsType[tls.RecordHeaderError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case noName:
		return "The name in REDIS_URL leads nowhere (" + causeOf(err) + ").", "Correct REDIS_URL, or the name's DNS records."
	case errors.Is(err, queue.ErrNoServer):
		return "The Sentinels know no server of the name in REDIS_URL.", "Correct master_name in REDIS_URL: \"redis-cli -p 26379 sentinel masters\" lists the names."
	case noTLS:
		return "REDIS_URL asks for TLS (rediss://), and what answers speaks none.", "Begin it with redis://, or let it lead to the port with TLS."
	case untrusted:
		return "The certificate of Redis is not valid for this machine.", "Let Redis present one that this machine trusts, for the name in REDIS_URL."
	}
	return "Redis does not answer (" + causeOf(err) + "): nothing can be ordered, and what was accepted waits.",
		"Start Redis, or correct REDIS_URL: rediss:// is for a Redis that speaks TLS, and ?master_name= for the addresses of Sentinels."
}

const mostWords = 160 // bytes of an error that people read

// causeOf returns why Redis failed, without any part of REDIS_URL: a password with an
// unescaped # ends up in the host's name, and Redis quotes unknown commands.
func causeOf(err error) string {
	if own, ok := errors.AsType[redis.Error](err); ok {
		return briefly(own.Error())
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return name.Err
	}
	if connection, ok := errors.AsType[*net.OpError](err); ok && connection.Err != nil {
		return connection.Err.Error()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, io.EOF):
		return "it closed the connection"
	}
	return briefly(err.Error())
}

// briefly shortens an error's text and removes the command that it quotes.
func briefly(text string) string {
	text, _, _ = strings.Cut(text, ", with args")
	return strings.ToValidUTF8(text[:min(len(text), mostWords)], "")
}
