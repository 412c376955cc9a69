// The emoji the app and people here use; anybody else's :name: stays as it is written.

/** emoji by name, without the colons. */
export const emoji = {
  "+1": "👍", "-1": "👎", thumbsup: "👍", thumbsdown: "👎", white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌",
  warning: "⚠️", rotating_light: "🚨", bulb: "💡", eyes: "👀", tada: "🎉", pray: "🙏", clap: "👏", raised_hands: "🙌",
  wave: "👋", heart: "❤️", star: "⭐", sparkles: "✨", fire: "🔥", rocket: "🚀", "100": "💯", ok_hand: "👌", muscle: "💪",
  smile: "😄", smiley: "😃", grinning: "😀", slightly_smiling_face: "🙂", blush: "😊", wink: "😉", joy: "😂", thinking_face: "🤔",
  heart_eyes: "😍", sunglasses: "😎", cry: "😢", sob: "😭", open_mouth: "😮", neutral_face: "😐", camera: "📷",
  camera_with_flash: "📸", frame_with_picture: "🖼️", art: "🎨", film_frames: "🎞️", scissors: "✂️", paperclip: "📎",
  link: "🔗", pencil: "📝", pencil2: "✏️", memo: "📝", speech_balloon: "💬", lock: "🔒", unlock: "🔓", bell: "🔔", wastebasket: "🗑️",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", clock1: "🕐", calendar: "📅", moneybag: "💰", credit_card: "💳", package: "📦",
  inbox_tray: "📥", outbox_tray: "📤", arrow_right: "➡️", arrow_left: "⬅️", arrow_up: "⬆️", arrow_down: "⬇️",
  repeat: "🔁", arrows_counterclockwise: "🔄", double_vertical_bar: "⏸️", pause_button: "⏸️", arrow_forward: "▶️",
  no_entry: "⛔", no_entry_sign: "🚫", question: "❓", exclamation: "❗", information_source: "ℹ️", mag: "🔍", gear: "⚙️",
  wrench: "🔧", robot_face: "🤖", sun_with_face: "🌞", sunny: "☀️", palm_tree: "🌴", ring: "💍", dress: "👗", bride_with_veil: "👰",
  red_circle: "🔴", large_green_circle: "🟢", large_yellow_circle: "🟡", large_blue_circle: "🔵", large_orange_circle: "🟠", white_circle: "⚪", white_large_square: "⬜",
  sunrise: "🌅", zzz: "💤", raised_hand: "✋", no_bell: "🔕", pushpin: "📌",
};

/** spoken is an emoji's name as words. */
export const spoken = (name) => ({ "+1": "thumbs up", "-1": "thumbs down" }[name] || name.replaceAll("_", " "));
