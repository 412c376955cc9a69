// Who one is on this page, and the way to be somebody else.
import { html } from "/static/vendor/htm-preact.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { go } from "./route.js";
import { nameOf, standing, useWorld } from "./world.js";

/** PersonSwitch is "You are Maria ▾". Everybody has a window of their own. */
export function PersonSwitch() {
  const { team, me } = useWorld();
  const items = () => [
    { heading: "Act as" },
    ...team.users.filter((u) => !u.bot).map((u) => ({
      label: nameOf(u),
      note: standing(u),
      checked: u.id === me.id,
      icon: html`<${Avatar} id=${u.id} size="small" />`,
      act: () => become(u),
    })),
  ];
  return html`<${Menu} label="Act as another person" worded=${true} class="person-switch" items=${items}>
    <${Avatar} id=${me.id} />
    <span class="person-words"><span class="person-name">You are ${nameOf(me)}</span>
      ${standing(me) && html`<span class="person-standing">${standing(me)}</span>`}</span>
    <${Icon} name="down" />
  <//>`;
}

function become(user) {
  go({ as: user.name, channel: "", app: "", thread: "" });
}
