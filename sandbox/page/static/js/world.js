// Who and what there is, for everything that draws: {team, me, users, channels, api}.
import { createContext, useContext } from "/static/vendor/htm-preact.js";

/** World hands it down the tree. */
export const World = createContext({ team: { users: [], commands: [], shortcuts: [] }, me: {}, users: [], channels: [] });

/** useWorld is what there is. */
export const useWorld = () => useContext(World);

/** nameOf is how a person is called on the screen. */
export const nameOf = (user) => user?.real_name || user?.name || "Somebody";

/** standing is what a person is, when they are not simply a member. */
export function standing(user) {
  if (user?.bot) return "App";
  if (user?.foreign) return "From another organisation";
  if (user?.guest) return "Guest";
  if (user?.admin) return "Admin";
  return "";
}
