package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// manifests are all objects of deploy/kubernetes and deploy/kubernetes/redis, to see whether
// what one says of another is so: a cluster takes a selector that matches nothing.
type manifests struct {
	pods     map[string]*corev1.PodTemplateSpec // by the name of what keeps them
	services map[string]*corev1.Service
	files    map[string][]string // of each Secret
	settings map[string]bool     // the ConfigMaps
	wrong    []error
}

// checkTogether checks what the objects say of each other.
func checkTogether(objects []any) error {
	m := manifests{pods: map[string]*corev1.PodTemplateSpec{}, services: map[string]*corev1.Service{}, files: map[string][]string{}, settings: map[string]bool{}}
	for _, object := range objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			m.pods[o.Name] = &o.Spec.Template
		case *appsv1.StatefulSet:
			m.pods[o.Name] = &o.Spec.Template
		case *corev1.Service:
			m.services[o.Name] = o
		case *corev1.Secret:
			m.files[o.Name] = slices.Sorted(maps.Keys(o.Data))
		case *corev1.ConfigMap:
			m.settings[o.Name] = true
		}
	}
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.Service:
			m.checkService(o)
		case *policyv1.PodDisruptionBudget:
			m.selected("PodDisruptionBudget "+o.Name, o.Spec.Selector)
		case *networkingv1.NetworkPolicy:
			m.checkPolicy(o)
		case *networkingv1.Ingress:
			m.checkIngress(o)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.pods)) {
		m.checkMounts(name, &m.pods[name].Spec)
	}
	return errors.Join(m.wrong...)
}

func (m *manifests) unless(holds bool, format string, args ...any) {
	if !holds {
		m.wrong = append(m.wrong, fmt.Errorf("  "+format, args...))
	}
}

// selected returns the pods that a selector matches, of which there must be some.
func (m *manifests) selected(who string, selector *metav1.LabelSelector) []*corev1.PodTemplateSpec {
	matches, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		m.unless(false, "%s: %v", who, err)
		return nil
	}
	var found []*corev1.PodTemplateSpec
	for _, pod := range m.pods {
		if !matches.Empty() && matches.Matches(labels.Set(pod.Labels)) {
			found = append(found, pod)
		}
	}
	m.unless(len(found) > 0, "%s: no pod has %s", who, matches)
	return found
}

// reached checks that all pods have a port; nil is every port.
func (m *manifests) reached(who string, pods []*corev1.PodTemplateSpec, port *intstr.IntOrString) {
	for _, pod := range pods {
		has := port == nil || slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return hasPort(c, *port) })
		m.unless(has, "%s: its pods have no port %s", who, port.String())
	}
}

// hasPort tells whether a container has the port, by its name or its number.
func hasPort(c corev1.Container, port intstr.IntOrString) bool {
	return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool {
		if port.Type == intstr.String {
			return p.Name == port.StrVal
		}
		return p.ContainerPort == port.IntVal
	})
}

func (m *manifests) checkService(s *corev1.Service) {
	pods := m.selected("Service "+s.Name, &metav1.LabelSelector{MatchLabels: s.Spec.Selector})
	for _, port := range s.Spec.Ports {
		m.reached("Service "+s.Name, pods, &port.TargetPort)
	}
}

// checkPolicy looks at the pods of the policy, and at those pods of ours that it names as peers.
// Whom it names in other namespaces is the cluster's affair.
func (m *manifests) checkPolicy(p *networkingv1.NetworkPolicy) {
	who := "NetworkPolicy " + p.Name
	own := m.selected(who, &p.Spec.PodSelector)
	for _, rule := range p.Spec.Ingress {
		for _, port := range rule.Ports {
			m.reached(who, own, port.Port)
		}
		m.peers(who, rule.From)
	}
	for _, rule := range p.Spec.Egress {
		pods := m.peers(who, rule.To)
		for _, port := range rule.Ports {
			m.reached(who, pods, port.Port)
		}
	}
}

// peers returns those of the peers that are our own pods.
func (m *manifests) peers(who string, peers []networkingv1.NetworkPolicyPeer) []*corev1.PodTemplateSpec {
	var found []*corev1.PodTemplateSpec
	for _, peer := range peers {
		if peer.PodSelector != nil && peer.NamespaceSelector == nil {
			found = append(found, m.selected(who, peer.PodSelector)...)
		}
	}
	return found
}

func (m *manifests) checkIngress(i *networkingv1.Ingress) {
	for _, rule := range i.Spec.Rules {
		for _, at := range rule.HTTP.Paths {
			backend := at.Backend.Service
			service := m.services[backend.Name]
			has := service != nil && slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
				return p.Name == backend.Port.Name || p.Port == backend.Port.Number
			})
			m.unless(has, "Ingress %s: %s goes to %s, port %s, which no Service has", i.Name, at.Path, backend.Name, backend.Port.Name)
		}
	}
}

// checkMounts checks the settings, the ports of the probes, and the files of the secrets: each NAME_FILE is the
// file "name" of a Secret that is mounted there, and no file of it is left over.
func (m *manifests) checkMounts(name string, pod *corev1.PodSpec) {
	for _, c := range pod.Containers {
		for _, from := range c.EnvFrom {
			m.unless(from.ConfigMapRef == nil || m.settings[from.ConfigMapRef.Name], "%s: there are no such settings", name)
		}
		for _, probe := range []*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
			if probe != nil && probe.HTTPGet != nil {
				m.unless(hasPort(c, probe.HTTPGet.Port), "%s: a probe asks at port %s, which it has not", name, probe.HTTPGet.Port.String())
			}
			if probe != nil && probe.TCPSocket != nil {
				m.unless(hasPort(c, probe.TCPSocket.Port), "%s: a probe asks at port %s, which it has not", name, probe.TCPSocket.Port.String())
			}
		}
		mounted := m.mounted(pod, c)
		for _, env := range c.Env {
			if variable, is := strings.CutSuffix(env.Name, "_FILE"); is {
				m.unless(mounted[env.Value], "%s: %s is %s, and no secret is mounted there", name, env.Name, env.Value)
				m.unless(path.Base(env.Value) == strings.ToLower(variable), "%s: %s is the file of another secret, %s", name, env.Name, env.Value)
				delete(mounted, env.Value)
			}
		}
		for file := range mounted {
			m.unless(false, "%s: nobody reads %s", name, file)
		}
	}
}

// mounted returns the paths of all files of Secrets in a container.
func (m *manifests) mounted(pod *corev1.PodSpec, c corev1.Container) map[string]bool {
	secrets := map[string]string{}
	for _, volume := range pod.Volumes {
		if volume.Secret != nil {
			secrets[volume.Name] = volume.Secret.SecretName
		}
	}
	found := map[string]bool{}
	for _, mount := range c.VolumeMounts {
		for _, file := range m.files[secrets[mount.Name]] {
			found[path.Join(mount.MountPath, file)] = true
		}
	}
	return found
}
