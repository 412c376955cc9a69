// Times as a person reads them, in their own time zone, in English as the rest of the page.

const formats = new Map();

function format(date, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat("en-US", options));
  return formats.get(key).format(date);
}

/** when is the moment of a message's timestamp. */
export const when = (ts) => new Date(Number.parseFloat(ts) * 1000);

/** clock is "9:41 AM". */
export const clock = (date) => format(date, { hour: "numeric", minute: "2-digit" });

/** full is a date and time to the second, for a tooltip. */
export const full = (date) => format(date, {
  weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit",
});

/** dayKey is the same for two moments of one day. */
export const dayKey = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

const pad = (n) => String(n).padStart(2, "0");

/** daysAgo is how many midnights lie between. */
function daysAgo(date, now) {
  const midnight = (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate(), 12); // noon: no trouble with summer time
  return Math.round((midnight(now) - midnight(date)) / 86400e3);
}

const nearby = { 0: "Today", 1: "Yesterday", "-1": "Tomorrow" };

/** pretty is the day by its near name, else as otherwise says. */
const pretty = (date, now, otherwise) => nearby[daysAgo(date, now)] || otherwise(date);

const ordinal = (n) => {
  const rest = n % 100;
  if (rest > 10 && rest < 14) return `${n}th`;
  return n + ({ 1: "st", 2: "nd", 3: "rd" }[n % 10] || "th");
};

const dateShort = (date) => format(date, { month: "short", day: "numeric", year: "numeric" });

/** dayName heads a day's messages: "Today", "Yesterday", "Friday, November 20th". */
export const dayName = (date, now = new Date()) => pretty(date, now, (d) => {
  const year = d.getFullYear() === now.getFullYear() ? "" : `, ${d.getFullYear()}`;
  return `${format(d, { weekday: "long" })}, ${format(d, { month: "long" })} ${ordinal(d.getDate())}${year}`;
});

// The fields that the app writes, of those of docs.slack.dev/messaging/formatting-message-text#date-formatting.
const tokens = {
  "{date_short_pretty}": (d, now) => pretty(d, now, dateShort),
  "{time}": clock,
};

/** known says that a format holds a field that says something; a date without one says its fallback. */
export const known = (pattern) => [...(pattern ?? "").matchAll(/\{\w+\}/g)].some(([field]) => tokens[field]);

/** fill writes a moment into a token's format; a field nobody knows stays as it is. */
export function fill(pattern, seconds, now = new Date()) {
  const date = new Date(Number(seconds) * 1000);
  return pattern.replace(/\{\w+\}/g, (field) => (tokens[field] ? tokens[field](date, now) : field));
}
