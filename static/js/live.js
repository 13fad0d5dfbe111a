/* <airis-live url job after>: follows one job over the socket. Everything shown is HTML that the server rendered
   from rows; on a dropped line it reconnects with the last number it saw, so nothing is lost or doubled. */

import { replace } from "./parts.js";

const SIGNED_OUT = 4401;
const UNKNOWN = 4404;
const PAUSES_MS = [250, 500, 1000, 2000, 5000];

class AirisLive extends HTMLElement {
  connectedCallback() {
    this.after = Number(this.getAttribute("after") || 0);
    this.failures = 0;
    this.isOver = false;
    this.open();
  }

  disconnectedCallback() {
    this.isOver = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${this.getAttribute("url")}`);
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      this.socket.send(JSON.stringify({ type: "follow", job: this.getAttribute("job"), after: this.after }));
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.closed(event.code));
  }

  receive(message) {
    if (message.type === "gone") this.finish();
    if (message.type !== "events") return;
    if (message.seq < this.after) return;
    this.after = message.seq;
    if (message.html) this.swap(message.html);
    this.dispatchEvent(new CustomEvent("airis:progress", { bubbles: true, detail: message }));
    if (message.state !== "queued" && message.state !== "running") this.finish();
  }

  swap(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    for (const fresh of [...holder.content.children]) {
      const old = fresh.id && document.getElementById(fresh.id);
      if (!old) continue;
      replace(old, fresh);
      const spoken = fresh.dataset.spoken;
      const speaker = document.getElementById("spoken");
      if (speaker && spoken && speaker.textContent !== spoken) speaker.textContent = spoken;
    }
  }

  finish() {
    this.isOver = true;
    this.socket?.close();
    this.remove();
  }

  closed(code) {
    if (this.isOver) return;
    if (code === SIGNED_OUT) {
      document.dispatchEvent(new CustomEvent("airis:signed-out"));
      return;
    }
    if (code === UNKNOWN) return;
    const pause = PAUSES_MS[Math.min(this.failures, PAUSES_MS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), pause);
  }
}

customElements.define("airis-live", AirisLive);

document.addEventListener("airis:signed-out", () => {
  const box = document.getElementById("signed-out");
  if (box) box.hidden = false;
});
