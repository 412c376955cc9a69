package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerui"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

// checkDockerfile compiles the file as BuildKit does before it builds anything, with the
// rules of "docker build --check". Each warning is an error.
func checkDockerfile(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	platform := ocispecs.Platform{OS: "linux", Architecture: "amd64"}
	var wrong []error
	_, err = dockerfile2llb.Dockerfile2LLB(ctx, text, dockerfile2llb.ConvertOpt{
		Config:         dockerui.Config{BuildPlatforms: []ocispecs.Platform{platform}, LinterConfig: &linter.Config{ExperimentalAll: true}},
		TargetPlatform: &platform,
		MetaResolver:   unknownImages{platform},
		AllStages:      true,
		Warn: func(rule, _, url, says string, at []parser.Range) {
			wrong = append(wrong, fmt.Errorf("  %s: %s%s (%s)", rule, says, lines(at), url))
		},
	})
	return errors.Join(append(wrong, err)...)
}

// lines says where a warning is, when BuildKit does.
func lines(at []parser.Range) string {
	if len(at) == 0 {
		return ""
	}
	return fmt.Sprintf(", line %d", at[0].Start.Line)
}

// unknownImages stands for the registry: every base image exists and says nothing of itself.
type unknownImages struct{ platform ocispecs.Platform }

// ResolveImageConfig returns a configuration that sets nothing but the platform.
func (u unknownImages) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	config, err := json.Marshal(ocispecs.Image{Platform: u.platform})
	if err != nil {
		return "", "", nil, fmt.Errorf("image %s: %w", ref, err)
	}
	return ref, digest.FromBytes(config), config, nil
}
