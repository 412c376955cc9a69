package photos

import "path"

// Botch is what the editor gets wrong with a picture.
type Botch string

// The botches.
const (
	Small     Botch = "small"     // the picture is as small as its preview
	Untouched Botch = "untouched" // it is the original
	Unchanged Botch = "unchanged" // it is the edit of the round before
	LeftOut   Botch = "left_out"  // it is not delivered
	Page      Botch = "page"      // its file is a web page, although its preview is right
)

// Botches makes the editor get pictures of that name wrong, from now on; "" ends that.
func (s *Service) Botches(name string, how Botch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.botches[name] = how
}

// botch returns how pictures of that name go wrong, or "".
func (s *Service) botch(name string) Botch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.botches[name]
}

// withoutLeftOut returns a task without the pictures that the editor forgets.
func (s *Service) withoutLeftOut(t task) task {
	kept := task{id: t.id, revision: t.revision}
	for i, src := range t.sources {
		if s.botch(src.name) != LeftOut {
			kept.sources, kept.indexes = append(kept.sources, src), append(kept.indexes, t.indexes[i])
		}
	}
	return kept
}

// edit edits a picture as well as the editor can.
func (s *Service) edit(src source, revision int) (retouched, error) {
	how := s.botch(src.name)
	if how == Untouched {
		return untouched(src)
	}
	if how == Unchanged {
		revision--
	}
	picture, err := retouch(src, revision)
	switch how {
	case Small:
		if picture.width > thumbSide || picture.height > thumbSide {
			picture.full, picture.kind = picture.thumb, picture.thumbKind
			picture.width, picture.height = thumbSize(picture.width, picture.height)
		}
	case Page:
		picture.full, picture.kind = []byte("<!doctype html><title>Please log in</title>"), "text/html"
	}
	return picture, err
}

// untouched hands a picture in as it came.
func untouched(src source) (retouched, error) {
	picture, err := decode(src.content)
	if err != nil {
		return retouched{}, err
	}
	out := retouched{name: path.Base(src.name), kind: src.kind, thumbKind: "image/jpeg", full: src.content, width: picture.Bounds().Dx(), height: picture.Bounds().Dy()}
	out.thumb, err = encode(shrink(picture), out.thumbKind)
	return out, err
}
