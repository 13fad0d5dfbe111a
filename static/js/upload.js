/* <airis-upload>: sends files one by one with real progress; without it the form still uploads. */

class AirisUpload extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.input = this.querySelector("input[type=file]");
    this.tray = this.querySelector("[data-tray]");
    this.form.querySelector("[data-send]").hidden = true; // choosing a file sends it
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send([...this.input.files]);
    });
    this.input.addEventListener("change", () => this.send([...this.input.files]));
    for (const name of ["dragover", "dragleave", "drop"]) {
      this.form.addEventListener(name, (event) => {
        event.preventDefault();
        this.form.toggleAttribute("data-over", name === "dragover");
        if (name === "drop") this.send([...event.dataTransfer.files]);
      });
    }
  }

  async send(files) {
    this.input.value = "";
    for (const file of files) await this.sendOne(file);
  }

  sendOne(file, row = this.row(file), choice = {}) {
    return new Promise((done) => {
      const body = new FormData(this.form);
      body.delete("file");
      for (const [name, value] of Object.entries(choice)) body.set(name, value);
      body.append("file", file, file.name);
      const request = new XMLHttpRequest();
      request.open("POST", this.form.action);
      request.setRequestHeader("Accept", "application/json");
      request.upload.addEventListener("progress", (event) => {
        row.meter.value = event.total ? (event.loaded / event.total) * 100 : 0;
      });
      request.addEventListener("load", () => {
        this.show(row, request, file);
        done();
      });
      request.addEventListener("error", () => {
        row.say(this.dataset.failed, true);
        done();
      });
      request.send(body);
    });
  }

  row(file) {
    const line = document.createElement("div");
    line.className = "tray__item";
    const name = document.createElement("span");
    name.className = "clip";
    name.textContent = file.name;
    const state = document.createElement("span");
    state.textContent = this.dataset.sending;
    const meter = document.createElement("progress");
    meter.className = "meter";
    meter.max = 100;
    meter.value = 0;
    meter.setAttribute("aria-label", file.name);
    line.append(name, meter, state);
    this.tray.append(line);
    return {
      line, meter,
      say(text, isBad) {
        meter.hidden = true;
        state.textContent = text;
        state.className = isBad ? "state state--negative" : "state state--positive";
      },
    };
  }

  offer(row, file, text, choice) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button--small";
    button.textContent = text;
    button.addEventListener("click", () => {
      for (const other of row.line.querySelectorAll("button")) other.remove();
      this.sendOne(file, row, choice);
    });
    row.line.append(button);
  }

  show(row, request, file) {
    let outcome = null;
    try {
      const body = JSON.parse(request.responseText);
      outcome = body.files ? body.files[0] : body;
    } catch {
      outcome = null;
    }
    if (!outcome || (!outcome.message && !outcome.detail)) {
      row.say(this.dataset.failed, true);
      return;
    }
    row.say(outcome.message || outcome.detail, request.status >= 400);
    if (outcome.same) {
      this.offer(row, file, this.dataset.newVersion, { new_version_of: outcome.same });
      this.offer(row, file, this.dataset.keepBoth, { same_name: "both" });
    }
    if (outcome.choice) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--small";
      button.textContent = this.dataset.addHere;
      button.addEventListener("click", async () => {
        button.remove();
        const body = new FormData();
        body.append("document", outcome.choice);
        const headers = { "X-CSRFToken": this.form.elements.csrfmiddlewaretoken.value };
        const reply = await fetch(this.dataset.addUrl, { method: "POST", body, headers });
        row.say(reply.ok ? (await reply.json()).message : this.dataset.failed, !reply.ok);
        document.body.dispatchEvent(new CustomEvent("airis:uploaded"));
      });
      row.line.append(button);
    }
    document.body.dispatchEvent(new CustomEvent("airis:uploaded"));
  }
}

customElements.define("airis-upload", AirisUpload);
