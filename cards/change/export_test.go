package change

// What the tests outside the package look at.
const ManyGood = manyGood
