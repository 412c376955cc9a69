package account

// What the tests outside the package look at.
const (
	FieldData    = fieldData
	FieldForget  = fieldForget
	FieldLeaving = fieldLeaving
)
