package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
)

// Bounds of a channel's presets.
const (
	MaxPresets    = 50
	maxPresetSize = 16_000 // bytes of one, as JSON
)

// Errors of [Presets].
var (
	ErrPresetExists = errors.New("there is a preset of that name")
	ErrPresetPinned = errors.New("the preset is a house style")
	ErrPresetsFull  = errors.New("the channel has as many presets as it may")
	ErrPresetLarge  = errors.New("the preset is too large")
	ErrNoPreset     = errors.New("no such preset")
)

// Preset is a named brief that a channel uses again and again.
type Preset struct {
	Name    string      `json:"name"`
	SavedBy string      `json:"saved_by"` // Slack user id, or [order.FormerPerson]
	SavedAt time.Time   `json:"saved_at"`
	Pinned  bool        `json:"pinned,omitempty"` // a house style: only operators change it
	Brief   order.Brief `json:"brief"`            // as [order.Brief.Repeatable] makes it
	// Requires says what each photo delivered for an order of this preset must be; zero: what the channel requires.
	Requires order.Requirements `json:"requires,omitzero"`
}

// ID names the preset within its channel.
func (p Preset) ID() string { return PresetID(p.Name) }

// PresetID returns the id of the preset with that name. Case and extra spaces do not matter.
func PresetID(name string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.Join(strings.Fields(name), " "))))
	return hex.EncodeToString(sum[:8])
}

// Print returns a fingerprint of the preset's visible content: its id and a hash. Saving it anew changes the hash.
func (p Preset) Print() string {
	sum := sha256.Sum256([]byte(kv.Encode(Preset{Name: p.Name, SavedBy: p.SavedBy, SavedAt: p.SavedAt, Brief: p.Brief})))
	return p.ID() + ":" + hex.EncodeToString(sum[:8])
}

// Presets saves the presets of channels.
type Presets struct{ db kv.DB }

// In returns a channel's presets: house styles first, then by name.
func (s *Presets) In(ctx context.Context, team, channel string) ([]Preset, error) {
	all, _, err := s.readPresets(ctx, team, channel)
	return all, err
}

// ByID returns the channel's preset with that [Preset.ID], or nil.
func (s *Presets) ByID(ctx context.Context, team, channel, id string) (*Preset, error) {
	all, _, err := s.readPresets(ctx, team, channel)
	if at := placeOf(all, id); at >= 0 {
		return &all[at], err
	}
	return nil, err
}

// HouseStyle returns the one pinned preset; nil when no preset or several are pinned.
func HouseStyle(presets []Preset) *Preset {
	var found *Preset
	for i := range presets {
		if !presets[i].Pinned {
			continue
		}
		if found != nil {
			return nil
		}
		found = &presets[i]
	}
	return found
}

// SavePreset saves a preset of a channel. If one has that name, it returns [ErrPresetExists], unless over is that
// one's [Preset.Print]. A pinned preset stays pinned; replacing it returns [ErrPresetPinned] unless pinned is true.
// Saving the same preset again changes nothing.
func (s *Presets) SavePreset(ctx context.Context, team, channel string, p Preset, over string, pinned bool) error {
	if len(kv.Encode(p)) > maxPresetSize {
		return presetError(channel, ErrPresetLarge)
	}
	return s.editPresets(ctx, team, channel, func(all []Preset) ([]Preset, error) {
		at := placeOf(all, p.ID())
		switch {
		case at < 0 && len(all) >= MaxPresets:
			return nil, ErrPresetsFull
		case at < 0:
			return append(all, p), nil
		case p.repeats(all[at]):
			return all, nil
		case over != all[at].Print():
			return nil, ErrPresetExists
		case all[at].Pinned && !pinned:
			return nil, ErrPresetPinned
		}
		p.Pinned, p.Requires = all[at].Pinned, all[at].Requires
		all[at] = p
		return all, nil
	})
}

// repeats reports whether the same person saves the same preset again.
func (p Preset) repeats(old Preset) bool {
	p.SavedAt, p.Pinned, p.Requires = old.SavedAt, old.Pinned, old.Requires
	return reflect.DeepEqual(p, old)
}

// RemovePreset removes a preset; a missing one is no error. Removing a house style returns [ErrPresetPinned]
// unless pinned is true.
func (s *Presets) RemovePreset(ctx context.Context, team, channel, id string, pinned bool) error {
	return s.editPresets(ctx, team, channel, func(all []Preset) ([]Preset, error) {
		at := placeOf(all, id)
		switch {
		case at < 0:
			return all, nil
		case all[at].Pinned && !pinned:
			return nil, ErrPresetPinned
		}
		return slices.Delete(all, at, at+1), nil
	})
}

// PinPreset makes a preset a house style, or an ordinary preset again.
func (s *Presets) PinPreset(ctx context.Context, team, channel, id string, pinned bool) error {
	return s.editPreset(ctx, team, channel, id, true, func(p *Preset) { p.Pinned = pinned })
}

// RequirePreset sets what the photos of a preset's orders must be. A house style returns [ErrPresetPinned] unless pinned
// is true.
func (s *Presets) RequirePreset(ctx context.Context, team, channel, id string, r order.Requirements, pinned bool) error {
	return s.editPreset(ctx, team, channel, id, pinned, func(p *Preset) { p.Requires = r })
}

// editPreset changes one preset in one step. A missing one returns [ErrNoPreset]. A house style returns [ErrPresetPinned]
// unless pinned is true.
func (s *Presets) editPreset(ctx context.Context, team, channel, id string, pinned bool, change func(*Preset)) error {
	return s.editPresets(ctx, team, channel, func(all []Preset) ([]Preset, error) {
		at := placeOf(all, id)
		switch {
		case at < 0:
			return nil, ErrNoPreset
		case all[at].Pinned && !pinned:
			return nil, ErrPresetPinned
		}
		change(&all[at])
		return all, nil
	})
}

func placeOf(all []Preset, id string) int {
	return slices.IndexFunc(all, func(p Preset) bool { return p.ID() == id })
}

// editPresets changes a channel's presets in one step. It calls change again after a concurrent edit.
func (s *Presets) editPresets(ctx context.Context, team, channel string, change func([]Preset) ([]Preset, error)) error {
	return presetError(channel, kv.RetryOnConflict(kv.ErrBusy, func() (kv.Result, error) {
		all, before, err := s.readPresets(ctx, team, channel)
		if err != nil {
			return kv.Stale, err
		}
		if all, err = change(all); err != nil {
			return kv.Stale, err
		}
		return s.db.Replace(ctx, s.db.Key("presets", team, channel), before, presetsDoc(all))
	}))
}

// presetsDoc sorts the presets and returns them as JSON; "" without presets.
func presetsDoc(all []Preset) string {
	if len(all) == 0 {
		return ""
	}
	slices.SortFunc(all, func(a, b Preset) int {
		return cmp.Or(flag(b.Pinned)-flag(a.Pinned), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return kv.Encode(all)
}

// readPresets returns the presets and the saved document; "": no document.
func (s *Presets) readPresets(ctx context.Context, team, channel string) (all []Preset, doc string, err error) {
	doc, err = s.db.ReadDoc(ctx, s.db.Key("presets", team, channel), &all)
	return all, doc, presetError(channel, err)
}

func presetError(channel string, err error) error { return kv.About("presets of", channel, err) }

// lastReach is how many of a channel's newest orders [Orders.Recent] looks at.
const lastReach = 10

// LastBrief returns the newest order of a channel that has a brief; nil when none of the newest ten has one.
func (s *Orders) LastBrief(ctx context.Context, team, channel string) (*Tracked, error) {
	recent, err := s.Recent(ctx, team, channel)
	if err != nil || len(recent) == 0 {
		return nil, err
	}
	return &recent[0], nil
}

// Recent returns the orders with a brief among the newest ten of a channel, newest first.
func (s *Orders) Recent(ctx context.Context, team, channel string) ([]Tracked, error) {
	ids, err := s.db.Redis.ZRevRange(ctx, s.db.Key("channel", team, channel), 0, lastReach-1).Result()
	if err != nil || len(ids) == 0 {
		return nil, kv.About("last orders of", channel, err)
	}
	orders, err := s.records.all(ctx, ids)
	return slices.DeleteFunc(orders, func(t Tracked) bool {
		return t.Owner.Team != team || t.Owner.Channel != channel || t.Brief == nil || t.Untracked
	}), kv.About("last orders of", channel, err)
}
