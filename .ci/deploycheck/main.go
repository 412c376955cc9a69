// Command deploycheck reads what is in deploy/ as those read it who will run it: the
// Dockerfile with BuildKit's own checks, the Compose file with Compose's loader, the
// Kubernetes manifests with kustomize and the types of the API, strictly, and its pods with
// the judge of the "restricted" profile, and whether they fit each other.
//
// It is a module of its own, so that nothing of it enters the app's go.mod. It needs no
// engine, no cluster and no network.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: deploycheck ROOT, a copy of the tree with deploy/.env and the secrets' files in place")
		os.Exit(2)
	}
	root := os.Args[1]
	ctx := context.Background()
	kubernetes := filepath.Join(root, "deploy/kubernetes")
	app, appErr := checkKustomization(kubernetes)
	redis, redisErr := checkKustomization(filepath.Join(kubernetes, "redis"))
	err := errors.Join(
		said("Dockerfile", checkDockerfile(ctx, filepath.Join(root, "Dockerfile"))),
		said("compose.yaml", checkCompose(ctx, filepath.Join(root, "deploy/compose.yaml"))),
		said("kubernetes", appErr),
		said("kubernetes/redis", redisErr),
		said("what the manifests say of each other", checkTogether(append(app, redis...))),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// said prints what was found in order, and names what was not.
func said(what string, err error) error {
	if err == nil {
		fmt.Println("deploycheck:", what, "is in order")
		return nil
	}
	return fmt.Errorf("%s:\n%w", what, err)
}
