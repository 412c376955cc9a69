package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// leastGrace is longer than any of our containers needs to stop.
const leastGrace = 15 * time.Second

// checkCompose loads the file as "docker compose config" does, with .env beside it, and
// holds every service to what deploy/README.md says of all of them.
func checkCompose(ctx context.Context, path string) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithWorkingDirectory(filepath.Dir(path)), cli.WithEnvFiles(), cli.WithDotEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return err
	}
	var wrong []error
	builder := map[string]string{} // of each image
	for _, name := range project.ServiceNames() {
		if s := project.Services[name]; s.Build != nil {
			if other, twice := builder[s.Image]; twice {
				wrong = append(wrong, fmt.Errorf("  %s: it builds %s, as %s does at the same time", name, s.Image, other))
			}
			builder[s.Image] = name
		}
		for _, problem := range problems(project.Services[name]) {
			wrong = append(wrong, fmt.Errorf("  %s: %s", name, problem))
		}
	}
	return errors.Join(wrong...)
}

// problems are what a service lacks.
func problems(s types.ServiceConfig) []string {
	var all []string
	unless := func(holds bool, problem string) {
		if !holds {
			all = append(all, problem)
		}
	}
	unless(s.ReadOnly, "its root can be written")
	unless(slices.Contains(s.CapDrop, "ALL"), "it keeps capabilities")
	unless(slices.Contains(s.SecurityOpt, "no-new-privileges:true"), "it may gain privileges")
	unless(s.Restart == "unless-stopped", "it does not come back")
	unless(s.HealthCheck != nil && len(s.HealthCheck.Test) > 0, "nobody asks whether it is well")
	unless(s.StopGracePeriod != nil && time.Duration(*s.StopGracePeriod) >= leastGrace, "it is killed while it stops")
	for network := range s.Networks {
		unless(len(s.Ports) == 0 || network == "front", "the world reaches it, and it reaches "+network)
	}
	limited := s.Deploy != nil && s.Deploy.Resources.Limits != nil
	unless(limited && s.Deploy.Resources.Limits.MemoryBytes > 0 && s.Deploy.Resources.Limits.Pids > 0, "its memory or its processes have no limit")
	return all
}
