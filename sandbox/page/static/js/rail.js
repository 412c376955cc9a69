// Which workspaces a window on several shows. It stands in the address, and after each name who
// sits there and where: #Studio=as%3Dolga&Agency=as%3Dmaria.

/** shownIn are the workspaces that an address names, two at most, as [name, where in it]. */
export function shownIn(hash, names) {
  const asked = [...new Map(new URLSearchParams(hash.replace(/^#/, "")))].filter(([name]) => names.includes(name));
  return (asked.length > 0 ? asked : names.slice(0, 1).map((name) => [name, ""])).slice(0, 2);
}

/** pressed are the names shown after a press on one: alone, or beside the first of those before. */
export function pressed(shown, name, beside) {
  if (!beside) return [name];
  return shown.includes(name) ? shown : [shown[0], name];
}

/** toggled are the names shown when side by side is switched. */
export function toggled(shown, names, beside) {
  if (!beside) return shown.slice(0, 1);
  const other = names.find((name) => !shown.includes(name));
  return shown.length < 2 && other ? [shown[0], other] : shown;
}

/** addressOf is the address that shows them. */
export function addressOf(names) {
  return "#" + new URLSearchParams(names.map((name) => [name, ""]));
}
