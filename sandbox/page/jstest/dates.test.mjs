import test from "node:test";
import assert from "node:assert/strict";
import { dayName, fill } from "/static/js/dates.js";

const now = new Date(2026, 10, 21, 0, 10); // ten past midnight, where the reader is
const seconds = (...at) => new Date(...at).getTime() / 1000;

test("a near day has its name by the reader's own midnight", () => {
  assert.equal(fill("{date_short_pretty} at {time}", seconds(2026, 10, 20, 23, 50), now), "Yesterday at 11:50 PM");
  assert.equal(fill("{date_short_pretty} at {time}", seconds(2026, 10, 21, 9, 5), now), "Today at 9:05 AM");
  assert.equal(fill("{date_short_pretty}", seconds(2026, 10, 22, 9, 5), now), "Tomorrow");
  assert.equal(fill("{date_short_pretty}", seconds(2026, 10, 19, 9, 5), now), "Nov 19, 2026");
});

test("a field nobody knows stays", () => {
  assert.equal(fill("{time} {unknown}", seconds(2014, 1, 18, 6, 39, 42), now).replaceAll("\u202f", " "), "6:39 AM {unknown}");
});

test("the 11th, 12th and 13th are no 11st, 12nd, 13rd", () => {
  for (const [day, text] of [[1, "1st"], [2, "2nd"], [3, "3rd"], [11, "11th"], [12, "12th"], [13, "13th"], [21, "21st"]]) {
    assert.match(dayName(new Date(2025, 0, day), now), new RegExp(` ${text},`));
  }
});

test("a day's heading leaves out this year", () => {
  assert.equal(dayName(new Date(2026, 10, 2), now), "Monday, November 2nd");
  assert.equal(dayName(new Date(2025, 10, 2), now), "Sunday, November 2nd, 2025");
});
