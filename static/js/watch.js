/* <airis-watch topic about after url>: keeps a part of the page as it is in the rows, over one socket for the page.
   On a dropped line it asks again after the last revision it saw. data-only-visible: what is shown counts as seen, so
   the topic hears of the page only while the person can see it. */

import { swapParts } from "./parts.js";

const PAUSES_MS = [500, 1000, 2000, 5000, 15000];
const OVER = [4401, 4404]; // signed out; no longer a member
const watches = new Map(); // topic → its element
let socket = null;
let failures = 0;

function connect(url) {
  if (socket) return;
  socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${url}`);
  socket.addEventListener("open", () => {
    failures = 0;
    for (const watch of watches.values()) watch.ask();
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "topic") watches.get(message.topic)?.receive(message);
  });
  socket.addEventListener("close", (event) => {
    socket = null;
    if (event.code === OVER[0]) document.dispatchEvent(new CustomEvent("airis:signed-out"));
    if (OVER.includes(event.code)) return;
    setTimeout(() => connect(url), PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
    failures += 1;
  });
}

class AirisWatch extends HTMLElement {
  connectedCallback() {
    this.topic = this.getAttribute("topic");
    this.after = Number(this.getAttribute("after"));
    watches.set(this.topic, this);
    if (socket?.readyState === WebSocket.OPEN) this.ask();
    else connect(this.getAttribute("url"));
  }

  disconnectedCallback() {
    if (watches.get(this.topic) === this) watches.delete(this.topic);
  }

  ask() {
    let about = this.getAttribute("about");
    if ("onlyVisible" in this.dataset) about = document.visibilityState === "visible" ? location.pathname : "";
    socket.send(JSON.stringify({ type: "watch", topic: this.topic, about, after: this.after }));
  }

  receive(message) {
    this.after = message.revision;
    swapParts(message.html);
  }
}

customElements.define("airis-watch", AirisWatch);

function askForWhatIsSeen() {
  for (const watch of watches.values()) {
    if (!("onlyVisible" in watch.dataset) || socket?.readyState !== WebSocket.OPEN) continue;
    watch.after = -1; // look again: what finished meanwhile is seen now
    watch.ask();
  }
}

document.addEventListener("visibilitychange", askForWhatIsSeen);
document.addEventListener("htmx:pushedIntoHistory", askForWhatIsSeen); // the page shows another thing now
