package main

import "path/filepath"

// binary is the production binary, stripped as `make build` makes it.
func (b *bench) binary() string { return filepath.Join(b.o.dir, "darkroom") }

// startDarkroom starts the real binary on the server's core and waits until it listens.
func (b *bench) startDarkroom(environ []string) (*process, string, error) {
	p, addr, err := b.launchDarkroom(b.binary(), environ)
	if err != nil {
		return nil, "", err
	}
	return p, addr, b.listening(p, addr)
}

// launchDarkroom starts the binary and does not wait.
func (b *bench) launchDarkroom(binary string, environ []string) (*process, string, error) {
	addr, err := b.freeAddress()
	if err != nil {
		return nil, "", err
	}
	admin, err := b.freeAddress()
	if err != nil {
		return nil, "", err
	}
	environ = append([]string{"LISTEN_ADDR=" + addr, "ADMIN_ADDR=" + admin, "LOG_LEVEL=info"}, environ...)
	p, err := b.spawn(b.cores.server, "darkroom", environ, binary, "serve")
	return p, addr, err
}

// environ is the environment of the binary between the pretended outsides.
func environ(slack *pretendSlack, service *pretendService, redis *redisServer, more ...string) []string {
	return append([]string{
		"SLACK_SIGNING_SECRET=" + signingSecret, "SLACK_BOT_TOKEN=xoxb-bench", "SLACK_API_URL=" + slack.apiURL(),
		"UPSTREAM_URL=" + service.base, "UPSTREAM_API_KEY=bench-key", "UPSTREAM_API_SECRET=bench-secret",
		"REDIS_URL=" + redis.url, "DARKROOM_ALLOW_PRIVATE_URLS=true",
	}, more...)
}

// signingSecret is the one with which everything is signed that the generator sends.
const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5"

// startFloor starts the bare handler.
func (b *bench) startFloor() (*process, string, error) {
	addr, err := b.freeAddress()
	if err != nil {
		return nil, "", err
	}
	p, err := b.spawn(b.cores.server, "floor", nil, filepath.Join(b.o.dir, "floor"), "-addr", addr, "-secret", signingSecret)
	return p, addr, err
}
