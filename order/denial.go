package order

// Denial is a reason for which an order cannot be shown, or acted on, in a channel.
type Denial string

// The reasons.
const (
	DeniedNotInChannel Denial = "not_in_channel"
	DeniedNoChannel    Denial = "no_channel"
	DeniedArchived     Denial = "archived"
	DeniedMissingScope Denial = "missing_scope"
	DeniedTokenRevoked Denial = "token_revoked"
	DeniedNotMember    Denial = "not_member"
	DeniedGuest        Denial = "guest"
	DeniedExternal     Denial = "external"  // of another organisation
	DeniedUnsure       Denial = "unsure"    // Slack does not tell who that is
	DeniedNoPerson     Denial = "no_person" // an account that is switched off, or an app's
	DeniedNoRoom       Denial = "no_room"   // a direct message, of two or several
	DeniedByChannel    Denial = "refused"   // for a reason of its own that Slack did not tell
)
