package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// edits is how often a change to a draft is made anew because somebody else changed
// it meanwhile; each round lets one of them through.
const edits = 20

// EditDraft changes a draft that can still be filled in, in one step: what somebody
// else changes at the same time is not lost, so change may be called again. It returns
// the draft as it is kept then. [ErrDraftMoved] comes with the draft as it is: it is
// being placed, or over. An error of change's ends it and is returned.
func (s *Store) EditDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, error) {
	for range edits {
		d, again, err := s.editDraft(ctx, id, change)
		if !again {
			return d, err
		}
	}
	return Draft{}, draftError(id, fmt.Errorf("changed by others %d times: %w", edits, context.DeadlineExceeded))
}

// editDraft is one round; again says that somebody else was faster.
func (s *Store) editDraft(ctx context.Context, id string, change func(d *Draft) error) (_ Draft, again bool, _ error) {
	before, err := s.rdb.HGet(ctx, draftKey(id), "doc").Result()
	if errors.Is(err, redis.Nil) {
		err = ErrNoDraft
	}
	if err != nil {
		return Draft{}, false, draftError(id, err)
	}
	var d Draft
	if err := json.Unmarshal([]byte(before), &d); err != nil {
		return Draft{}, false, draftError(id, err)
	}
	if d.State != DraftOpen && d.State != DraftRefused {
		return d, false, draftError(id, ErrDraftMoved)
	}
	if err := change(&d); err != nil {
		return d, false, err
	}
	d.UpdatedAt = time.Now()
	code, err := s.writeDraft(ctx, editDraftScript, d, before)
	if err != nil {
		return Draft{}, false, draftError(id, err)
	}
	return d, code == 0, nil
}

// KEYS and the first 8 of ARGV: those of saveDraftScript; 9 the document that was
// changed. Returns 1, also when this very change is kept already, or 0 when what is kept
// is another document.
var editDraftScript = redis.NewScript(unfinishedLua + `
local kept = redis.call('HGET', KEYS[1], 'doc')
if kept == ARGV[1] then return 1 end
if kept ~= ARGV[9] then return 0 end
redis.call('HSET', KEYS[1], 'doc', ARGV[1], 'state', ARGV[2], 'attempt', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
unfinished()
return 1
`)
