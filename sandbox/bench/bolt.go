package main

import (
	"context"
	"errors"
	"log"
	"os"
	"path/filepath"
)

// boltDir is the folder of the app that the door is measured beside, below the module.
const boltDir = "sandbox/bench/bolt"

// installBolt brings the app's packages, unless those of its lock file are there.
func installBolt(ctx context.Context) error {
	lock, err := os.Stat(filepath.Join(boltDir, "package-lock.json"))
	if err != nil {
		return errors.New("run this at the top of the repository: " + err.Error())
	}
	have, err := os.Stat(filepath.Join(boltDir, "node_modules", ".package-lock.json"))
	if err == nil && !have.ModTime().Before(lock.ModTime()) {
		return nil
	}
	log.Print("npm ci of the Bolt app")
	return command(ctx, "npm", "ci", "--prefix", boltDir, "--no-audit", "--no-fund")
}

// startBolt starts the app; what it answers with is as large as what Darkroom does.
func (b *bench) startBolt(slack *pretendSlack, s samples) (*process, string, error) {
	addr, err := b.freeAddress()
	if err != nil {
		return nil, "", err
	}
	help, placing := filepath.Join(b.o.dir, "help.json"), filepath.Join(b.o.dir, "placing.json")
	if err := errors.Join(os.WriteFile(help, s.helpAnswer, 0o600), os.WriteFile(placing, s.placingAnswer, 0o600)); err != nil {
		return nil, "", err
	}
	p, err := b.spawn(b.cores.server, "bolt", []string{
		"NODE_ENV=production", "LISTEN=" + addr, "SLACK_SIGNING_SECRET=" + signingSecret,
		"SLACK_BOT_TOKEN=xoxb-bench", "SLACK_API_URL=" + slack.apiURL(), "HELP_FILE=" + help, "PLACING_FILE=" + placing,
	}, "node", filepath.Join(boltDir, "app.js"))
	return p, addr, err
}
