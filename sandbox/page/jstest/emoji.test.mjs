import test from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { emoji } from "/static/js/emoji.js";

const goldens = new URL("../../../cards/testdata/", import.meta.url);

test("every emoji that the app writes is drawn", () => {
  const unknown = new Set();
  let known = 0;
  for (const name of readdirSync(goldens, { recursive: true }).filter((n) => n.endsWith(".json"))) {
    for (const [, written] of readFileSync(new URL(name, goldens), "utf8").matchAll(/(?<=["\s]):([a-z][a-z0-9_]*):(?=[\s"])/g)) {
      if (emoji[written]) known++;
      else unknown.add(written);
    }
  }
  assert.deepEqual([...unknown], []);
  assert.ok(known > 0, "there is something to look at");
});
