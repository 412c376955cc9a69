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

// Names says how an account's service treats the names of orders. The zero value: not known.
type Names struct {
	Own  bool             // it changed the name of an order: a search by name may miss orders
	Kept order.NameLength // the longest name that it returned whole
}

// Prove reports whether a search by a name of that length would find the order.
func (n Names) Prove(needed order.NameLength) bool { return !n.Own && n.Kept.Covers(needed) }

// The fields of "connection" that hold [Names].
const (
	namesOf, namesOwn, namesLetters, namesBytes, namesTold = "names_of", "names_own", "names_letters", "names_bytes", "names_told"
)

// AccountNames saves how the service of an account treats names.
type AccountNames struct{ db kv.DB }

// NewAccountNames returns the account names of one workspace.
func NewAccountNames(rdb redis.UniversalClient, space keyspace.Keyspace) *AccountNames {
	return &AccountNames{kv.DB{Redis: rdb, Space: space, Scripts: scripts}}
}

// Of returns the names of the account with that [ServiceAccount.ID]; the zero value for any but
// the present account.
func (s *AccountNames) Of(ctx context.Context, account string) (Names, error) {
	found, err := s.db.Redis.HMGet(ctx, s.db.Key("connection"), namesOf, namesOwn, namesLetters, namesBytes).Result()
	if err != nil {
		return Names{}, kv.About("the", "connection", err)
	}
	return namesIn(account, found), nil
}

// namesIn decodes the fields from namesOf to namesBytes; the zero value if they belong to another account.
func namesIn(account string, found []any) (n Names) {
	if found[0] == nil || textOf(found, 0) != account {
		return n
	}
	n.Own = textOf(found, 1) != ""
	n.Kept.Letters, _ = strconv.Atoi(textOf(found, 2)) // "": 0
	n.Kept.Bytes, _ = strconv.Atoi(textOf(found, 3))
	return n
}

// NoteNames adds what an answer proves about the account. Own never becomes false again.
func (s *AccountNames) NoteNames(ctx context.Context, account string, n Names) (Names, error) {
	found, err := s.db.Script(ctx, "note_names", script.Keys{"connection": s.db.Key("connection")}, script.Args{
		"of": account, "own": n.Own, "letters": n.Kept.Letters, "bytes": n.Kept.Bytes,
	}).Slice()
	if err != nil {
		return Names{}, kv.About("the", "connection", err)
	}
	return namesIn(account, found), nil
}

// TellNames claims for a job the notice that the account's service changes names. False: there is nothing to notify, or
// another job does it. Until [AccountNames.NamesTold], the job gets the claim again with each delivery.
func (s *AccountNames) TellNames(ctx context.Context, account, job string) (bool, error) {
	code, err := s.db.Run(ctx, "tell_names", script.Keys{"connection": s.db.Key("connection")}, script.Args{"of": account, "by": job})
	return code == 1, kv.About("the", "connection", err)
}

// NamesTold ends the claim of [AccountNames.TellNames]. If the notice failed, the next job may try.
func (s *AccountNames) NamesTold(ctx context.Context, told bool) error {
	if told {
		return kv.About("the", "connection", s.db.Redis.HSet(ctx, s.db.Key("connection"), namesTold, "-").Err())
	}
	return kv.About("the", "connection", s.db.Redis.HDel(ctx, s.db.Key("connection"), namesTold).Err())
}
