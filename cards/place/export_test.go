package place

// What the tests outside the package look at.
const (
	FieldChannel      = fieldChannel
	FieldCustomer     = fieldCustomer
	FieldInstructions = fieldInstructions
	FieldMore         = fieldMore
	FieldProject      = fieldProject
)
