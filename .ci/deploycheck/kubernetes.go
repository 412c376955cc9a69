package main

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// blank makes the Go value of each kind that is in deploy/; another kind needs a line here.
var blank = map[string]func() any{
	"v1/Namespace":      func() any { return new(corev1.Namespace) },
	"v1/ServiceAccount": func() any { return new(corev1.ServiceAccount) },
	"v1/Service":        func() any { return new(corev1.Service) },
	"v1/ConfigMap":      func() any { return new(corev1.ConfigMap) },
	"v1/Secret":         func() any { return new(corev1.Secret) },

	"apps/v1/Deployment":                 func() any { return new(appsv1.Deployment) },
	"apps/v1/StatefulSet":                func() any { return new(appsv1.StatefulSet) },
	"policy/v1/PodDisruptionBudget":      func() any { return new(policyv1.PodDisruptionBudget) },
	"networking.k8s.io/v1/Ingress":       func() any { return new(networkingv1.Ingress) },
	"networking.k8s.io/v1/NetworkPolicy": func() any { return new(networkingv1.NetworkPolicy) },
}

// checkKustomization builds a folder as "kubectl kustomize" does, decodes each object
// strictly, so that a misspelt field is an error, and judges its pods. It returns the objects.
func checkKustomization(dir string) ([]any, error) {
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return nil, err
	}
	var wrong []error
	var decoded []any
	for _, object := range objects.Resources() {
		kind := object.GetApiVersion() + "/" + object.GetKind()
		var value any
		text, err := object.AsYAML()
		if err == nil {
			value, err = checkObject(kind, text)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("  %s %s: %w", kind, object.GetName(), err))
		}
		decoded = append(decoded, value)
	}
	return decoded, errors.Join(wrong...)
}

// checkObject decodes one object strictly.
func checkObject(kind string, text []byte) (any, error) {
	fresh, known := blank[kind]
	if !known {
		return nil, errors.New("nobody here knows this kind")
	}
	value := fresh()
	if err := yaml.UnmarshalStrict(text, value); err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case *appsv1.Deployment:
		return v, checkPod(v.Spec.Selector.MatchLabels, &v.Spec.Template)
	case *appsv1.StatefulSet:
		return v, checkPod(v.Spec.Selector.MatchLabels, &v.Spec.Template)
	}
	return value, nil
}

// checkPod asks the judge of the pod security standards whether the pod fits "restricted",
// and looks at what it does not judge.
func checkPod(selector map[string]string, pod *corev1.PodTemplateSpec) error {
	for name, value := range selector {
		if pod.Labels[name] != value {
			return fmt.Errorf("its selector wants %s=%s, which its pods do not have", name, value)
		}
	}
	judge, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	verdict := policy.AggregateCheckResults(judge.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec))
	if !verdict.Allowed {
		return fmt.Errorf("not restricted: %s", verdict.ForbiddenDetail())
	}
	for _, c := range pod.Spec.Containers {
		switch {
		case c.SecurityContext.ReadOnlyRootFilesystem == nil || !*c.SecurityContext.ReadOnlyRootFilesystem:
			return fmt.Errorf("container %s can write its root", c.Name)
		case c.Resources.Limits.Memory().IsZero():
			return fmt.Errorf("container %s has no limit of memory", c.Name)
		case c.ReadinessProbe == nil || c.StartupProbe == nil || c.LivenessProbe == nil:
			return fmt.Errorf("container %s lacks a probe", c.Name)
		}
	}
	return nil
}
