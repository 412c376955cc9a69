// Faults at hand: what can go wrong between Slack, Darkroom and the service.

import { html } from "/static/vendor/htm-preact.js";
import { post } from "./api.js";
import { Switch } from "./desk.js";
import { useDesk, useDoing } from "./feed.js";

const faults = [
  ["service_down", "Service down", "The photo service is off the network. Order, approve or write: Darkroom says that it is trying, keeps every word, and does it when the service is back."],
  ["slack_slow", "Slack slow", "Each call to Slack takes two seconds longer. Windows open late and cards come late, in the right order and once each."],
  ["lose_next", "Lose the next answer", "The service carries the next order, approval or message out, and the connection breaks before it answers; then this switches itself off. Darkroom looks before it tries again: nothing is done or paid twice."],
];

/** The switches. */
export function Faults() {
  const desk = useDesk();
  const [busy, trouble, run] = useDoing();
  if (!desk) return html`<p class="dk-empty" role="status">One moment…</p>`;
  return html`
    <div class="dk">
      <p class="dk-soft">Break something and watch that nothing gets lost. The wire shows what happens.</p>
      ${faults.map(([name, label, says]) => html`
        <section key=${name} class="ft-fault" aria-label=${label}>
          <${Switch} label=${label} on=${desk.faults[name]} describedby=${`ft-${name}`} set=${(on) => run(name, () => post("/page/faults", { [name]: on }))} />
          <p class="dk-soft" id=${`ft-${name}`}>${says}</p>
          ${desk.faults[name] && html`<p class="dk-warn" role="status">${name === "lose_next" ? "Waiting for the next write." : "On."}</p>`}
        </section>`)}
      ${trouble && html`<p class="dk-trouble" role="alert">${trouble}</p>`}
      ${busy && html`<p class="dk-soft" role="status">One moment…</p>`}
    </div>
  `;
}
