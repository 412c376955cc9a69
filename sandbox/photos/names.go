package photos

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"path"
	"strings"
)

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// newID draws an id of that length until it is not taken; the mutex is held.
func (s *Service) newID(length int, taken func(string) bool) string {
	return drawID(s.rand, length, taken)
}

func drawID(from *rand.Rand, length int, taken func(string) bool) string {
	for {
		id := make([]byte, length)
		for i := range id {
			id[i] = idAlphabet[from.IntN(len(idAlphabet))]
		}
		if !taken(string(id)) {
			return string(id)
		}
	}
}

// Names say what a service makes of the names that its clients give to orders. The zero value keeps them.
type Names struct {
	Limit     int    // characters that are kept: a longer name is cut without a word; 0 = all
	Own       bool   // an order gets a name of the service's own, whatever it was given
	Parameter string // the parameter of create that holds the name; "" = project_name or, where that is absent, name
}

// SetNames has the service make something else of the names of orders from now on.
func (s *Service) SetNames(n Names) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Names = n
}

// named is the name that a client gives to a new order.
func (s *Service) named(p params) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in := s.opts.Names.Parameter; in != "" {
		return p.text(in)
	}
	return or(p.text("project_name"), p.text("name"))
}

// kept is what the service keeps of a project name, "" for nothing; the mutex is held.
func (s *Service) kept(project string) string {
	letters, limit := []rune(project), s.opts.Names.Limit
	switch {
	case s.opts.Names.Own:
		return ""
	case limit > 0 && len(letters) > limit:
		return strings.TrimSpace(string(letters[:limit]))
	}
	return project
}

// projectName is the name of an order that was given none.
func (s *Service) projectName() string {
	moods := []string{"Quiet", "Amber", "Northern", "Gentle", "Silver", "Early", "Velvet", "Bright"}
	places := []string{"Harbor", "Meadow", "Window", "Garden", "Island", "Valley", "Terrace", "Shore"}
	return fmt.Sprintf("%s %s %d", moods[s.rand.IntN(len(moods))], places[s.rand.IntN(len(places))], 1000+s.rand.IntN(9000))
}

// fileName is the name of a picture at an address, with an extension that fits
// what it turned out to be.
func fileName(address, kind string) string {
	name := ""
	if u, err := url.Parse(address); err == nil {
		name = path.Base(u.Path)
	}
	if name == "" || name == "." || name == "/" {
		name = "image"
	}
	if path.Ext(name) == "" {
		name += extension(kind)
	}
	return name
}

func extension(kind string) string {
	switch kind {
	case "image/jpeg":
		return ".jpg"
	case "image/png", "image/gif", "image/webp", "image/tiff", "image/heic":
		return "." + strings.TrimPrefix(kind, "image/")
	}
	return ".bin"
}

// uniqueName numbers a name that the order has already: beach.jpg, beach-2.jpg.
func (o *order) uniqueName(name string) string {
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	unique := name
	for n := 2; o.hasSource(unique); n++ {
		unique = fmt.Sprintf("%s-%d%s", stem, n, ext)
	}
	return unique
}

func (o *order) hasSource(name string) bool {
	for _, s := range o.sources {
		if s.name == name {
			return true
		}
	}
	return false
}
