package tenants

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// Names is what is known of what an account's service makes of the names that orders are given.
// The zero value says that nothing is.
type Names struct {
	Own  bool             // it gave an order another name than ours: what is not found by its name may be there
	Kept order.NameLength // so much of a name was returned with its reference
}

// Prove reports whether an order would be found by its name, of which so much is needed.
func (n Names) Prove(needed order.NameLength) bool { return !n.Own && n.Kept.Covers(needed) }

// The fields of "connection" that hold them.
const (
	namesOf, namesOwn, namesLetters, namesBytes, namesTold = "names_of", "names_own", "names_letters", "names_bytes", "names_told"
)

// AccountNames keeps what is known of the names that the service of an account keeps.
type AccountNames struct{ db kv.DB }

// NewAccountNames keeps the names of one workspace.
func NewAccountNames(rdb redis.UniversalClient, space keyspace.Keyspace) *AccountNames {
	return &AccountNames{kv.DB{Redis: rdb, Space: space, Scripts: scripts}}
}

// Of returns what is known of the account with that id, see [ServiceAccount.ID]. Of another than
// the present one nothing is.
func (s *AccountNames) Of(ctx context.Context, account string) (Names, error) {
	found, err := s.db.Redis.HMGet(ctx, s.db.Key("connection"), namesOf, namesOwn, namesLetters, namesBytes).Result()
	if err != nil {
		return Names{}, kv.About("the", "connection", err)
	}
	return namesIn(account, found), nil
}

// namesIn reads what was read: of which account, and the rest.
func namesIn(account string, found []any) (n Names) {
	if found[0] == nil || textOf(found, 0) != account {
		return n
	}
	n.Own = textOf(found, 1) != ""
	n.Kept.Letters, _ = strconv.Atoi(textOf(found, 2)) // none is zero
	n.Kept.Bytes, _ = strconv.Atoi(textOf(found, 3))
	return n
}

// NoteNames adds what an answer proves of the account. Once the service kept a name of its own, it stays so.
func (s *AccountNames) NoteNames(ctx context.Context, account string, n Names) (Names, error) {
	found, err := s.db.Script(ctx, "note_names", script.Keys{"connection": s.db.Key("connection")}, script.Args{
		"of": account, "own": n.Own, "letters": n.Kept.Letters, "bytes": n.Kept.Bytes,
	}).StringSlice()
	if err != nil {
		return Names{}, kv.About("the", "connection", err)
	}
	known := make([]any, len(found))
	for i, value := range found {
		known[i] = value
	}
	return namesIn(account, known), nil
}

// TellNames claims for a job that it tells of the account whose service keeps names of its own. False: there is
// nothing to tell, or another job does. The job gets it again when it is delivered again, until [AccountNames.NamesTold].
func (s *AccountNames) TellNames(ctx context.Context, account, job string) (bool, error) {
	code, err := s.db.Run(ctx, "tell_names", script.Keys{"connection": s.db.Key("connection")}, script.Args{"of": account, "by": job})
	return code == 1, kv.About("the", "connection", err)
}

// NamesTold ends what [AccountNames.TellNames] began. When it was not told, the next job may.
func (s *AccountNames) NamesTold(ctx context.Context, told bool) error {
	if told {
		return kv.About("the", "connection", s.db.Redis.HSet(ctx, s.db.Key("connection"), namesTold, "-").Err())
	}
	return kv.About("the", "connection", s.db.Redis.HDel(ctx, s.db.Key("connection"), namesTold).Err())
}
