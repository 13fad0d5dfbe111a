/* The desk: composer keys, scope label, the evidence pane. Forms and links work without it. */

import { settle } from "./sheets.js";

const desk = document.getElementById("desk");
const evidence = document.getElementById("evidence");
const composer = document.getElementById("composer");
const field = document.getElementById("question");
let opener = null;

field?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    if (field.value.trim()) composer.requestSubmit();
  }
  if (event.key === "ArrowUp" && !field.value) {
    const asked = [...document.querySelectorAll(".question")].at(-1);
    if (asked) {
      event.preventDefault();
      field.value = asked.textContent;
    }
  }
});

let sent = "";
let isSending = false;
document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt !== composer) return;
  sent = field.value;
  isSending = true;
});
document.addEventListener("submit", (event) => {
  if (event.target !== composer || !isSending || field.value !== sent) return;
  event.preventDefault(); // the same question a second time; another one waits until this one has arrived
  event.stopPropagation();
}, true);

document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt !== composer) return;
  isSending = false;
  if (!event.detail.successful) return;
  if (field.value === sent) field.value = ""; // else the next question is being typed
  const seen = new Set();
  for (const exchange of [...document.querySelectorAll("#thread > .exchange")].reverse()) {
    if (seen.has(exchange.id)) exchange.remove(); // the socket was quicker than the answer to the form
    seen.add(exchange.id);
  }
  document.getElementById("welcome")?.remove();
  document.querySelector(".exchange:last-of-type")?.scrollIntoView({ block: "start", behavior: "smooth" });
});

function showScope() {
  const label = document.querySelector("[data-scope-label]");
  if (!label) return;
  const chosen = [...document.querySelectorAll(".scope input:checked")];
  const documents = document.querySelectorAll("input[name=document]").length;
  if (!chosen.length && documents) label.textContent = `${documents} ${label.dataset.some}`;
  else if (!chosen.length) label.textContent = label.dataset.all;
  else if (chosen.length === 1) label.textContent = chosen[0].parentElement.textContent.trim();
  else label.textContent = `${chosen.length} ${label.dataset.some}`;
}
composer?.addEventListener("change", showScope);
composer?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "scope-name") return;
  event.preventDefault(); // names the choice; the question is not sent
  document.querySelector(".scope__save button").click();
});
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id === "scope") showScope();
});
showScope();

document.addEventListener("click", (event) => {
  const chip = event.target.closest("[data-remove-scope]");
  if (chip) {
    chip.closest(".chip").remove();
    showScope();
  }
  const ready = event.target.closest("[data-question]");
  if (ready && field) {
    event.preventDefault(); // the composer asks; without it the button's own form does
    field.value = ready.dataset.question;
    composer.requestSubmit();
  }
  const cite = event.target.closest("[data-cite]");
  if (cite) {
    opener = cite;
    for (const other of document.querySelectorAll(".cite[aria-current]")) other.removeAttribute("aria-current");
    cite.setAttribute("aria-current", "true");
  }
  if (event.target.closest("[data-close-evidence]")) closeEvidence();
  if (event.target.closest("[data-print]")) window.print();
  const copy = event.target.closest("[data-copy-text]");
  if (copy && navigator.clipboard) {
    event.preventDefault(); // without a clipboard the link opens the text
    copyText(copy);
  }
});

async function copyText(link) {
  const text = await (await fetch(link.href)).text();
  await navigator.clipboard.writeText(text);
  const menu = link.closest("details");
  menu.open = false;
  menu.querySelector("summary").focus();
  document.getElementById("spoken").textContent = link.dataset.done;
  const notice = document.createElement("div");
  notice.className = "notice notice--positive";
  notice.textContent = link.dataset.done;
  document.getElementById("notices").replaceChildren(notice);
  setTimeout(() => notice.remove(), 4000);
}

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.matches("[data-take-back]") || field.value) return;
  field.value = event.target.closest(".exchange").querySelector(".question").textContent;
});

function closeEvidence() {
  evidence.replaceChildren();
  desk.removeAttribute("data-evidence");
  opener?.focus();
}

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== evidence) return;
  desk.setAttribute("data-evidence", "");
  evidence.focus({ preventScroll: true });
  settle(evidence);
  const image = evidence.querySelector("img");
  const lit = () => (document.getElementById("lit") || evidence.querySelector("mark"))?.scrollIntoView({ block: "center" });
  if (image && !image.complete) image.addEventListener("load", lit, { once: true });
  lit();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && evidence?.hasChildNodes()) closeEvidence();
  if (event.target.closest("input, textarea, select")) return;
  if (event.key !== "[" && event.key !== "]") return;
  const cites = [...document.querySelectorAll("[data-cite]")];
  if (!cites.length) return;
  const at = cites.findIndex((cite) => cite.hasAttribute("aria-current"));
  const next = event.key === "]" ? Math.min(at + 1, cites.length - 1) : Math.max(at - 1, 0);
  cites[next].click();
});
