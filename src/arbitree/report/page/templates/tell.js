"use strict";
// What a mark says: beside the pointer, or beside the mark that has the focus.
const tip = document.getElementById("tip");

function tell(text, x, y) {
  if (text === null || text === undefined || text === "") {
    tip.hidden = true;
    return;
  }
  tip.textContent = String(text);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = Math.min(Math.max(x + 12, 4), window.innerWidth - box.width - 4);
  const above = y - box.height - 12;
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${above > 4 ? above : y + 18}px`;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tip.hidden = true;
});
document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true, capture: true });
