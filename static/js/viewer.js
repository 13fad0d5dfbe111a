/* The page viewer: arrow keys turn pages, a lit place comes into view. */

import { settle } from "./sheets.js";

function showLit() {
  (document.getElementById("lit") || document.querySelector(".text-page mark, .grid mark, .flow mark"))?.scrollIntoView({ block: "center" });
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
  if (key) document.querySelector(`[data-key=${key}][href]`)?.click();
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  settle(document);
  if (event.target.id === "sheet" || event.target.closest?.("#evidence")) showLit(); // not when further rows arrive
});
settle(document);
showLit();
