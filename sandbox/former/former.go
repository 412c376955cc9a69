// Package former builds Darkroom as an earlier commit has it, so that an upgrade can be played: the
// binary of then beside the one of now, over the same Redis.
package former

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"darkroom/sandbox/shipped"
)

// Variable names the commit that is upgraded from: a tag, a branch, a hash.
const Variable = "DARKROOM_UPGRADE_FROM"

// ErrNone says that there is no earlier commit to be had, and why: a checkout without history, or none
// of git's at all.
var ErrNone = errors.New("no earlier commit")

// Version is a built binary of an earlier commit.
type Version struct {
	Commit string // its hash
	Title  string // the first line of its message
	Binary string
}

// String is for logs.
func (v Version) String() string { return v.Commit[:min(12, len(v.Commit))] + " " + v.Title }

// Build builds the commit, with the tags, into a folder. "" is the newest tag before the present
// commit, else the commit before it; in a checkout with changes that are not committed, the present
// commit.
func Build(ctx context.Context, dir, commit, tags string) (Version, error) {
	v, err := find(ctx, commit)
	if err != nil {
		return v, err
	}
	source := filepath.Join(dir, "source")
	if err := export(ctx, v.Commit, source); err != nil {
		return v, err
	}
	v.Binary = filepath.Join(dir, "darkroom-former")
	if err := shipped.Build(ctx, source, v.Binary, tags, "-buildvcs=false"); err != nil {
		return v, fmt.Errorf("build of %s: %w", v, err)
	}
	return v, os.RemoveAll(source)
}

// find names the commit.
func find(ctx context.Context, commit string) (Version, error) {
	if commit == "" {
		commit = previous(ctx)
	}
	said, err := git(ctx, "log", "-1", "--format=%H %s", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return Version{}, fmt.Errorf("%w: %s: %w; %s names one, and `git fetch --unshallow` brings what a shallow clone lacks", ErrNone, commit, err, Variable)
	}
	hash, title, _ := strings.Cut(said, " ")
	return Version{Commit: hash, Title: title}, nil
}

// previous is what people most likely run before this.
func previous(ctx context.Context) string {
	if changes, err := git(ctx, "status", "--porcelain", "--untracked-files=no"); err == nil && changes != "" {
		return "HEAD"
	}
	tag, _ := git(ctx, "describe", "--tags", "--abbrev=0", "HEAD^")
	return cmp.Or(tag, "HEAD^")
}

// export writes the commit's files into a folder. The repository is left as it is.
func export(ctx context.Context, commit, into string) error {
	if err := os.MkdirAll(into, 0o750); err != nil {
		return err
	}
	root, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	archive := into + ".tar"
	defer func() { _ = os.Remove(archive) }()
	if _, err := git(ctx, "-C", root, "archive", "--format=tar", "-o", archive, commit); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", into).CombinedOutput() //nolint:gosec // our own archive
	if err != nil {
		return fmt.Errorf("tar: %s: %w", out, err)
	}
	return nil
}

// git returns what git says.
func git(ctx context.Context, args ...string) (string, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // the suite's own arguments
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %s: %w", args[0], strings.TrimSpace(problems.String()), err)
	}
	return strings.TrimSpace(out.String()), nil
}
