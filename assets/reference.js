// Sends the requests of the page. Without this script the page shows them as curl commands. A key stays in its field and is stored nowhere.
"use strict";

const MAX_SHOWN = 100000;
const HEADERS = /^(content-type|etag|link|retry-after|ratelimit|x-(api-key-expires|data-as-of|ratelimit-limit|ratelimit-remaining|request-id))$/;
const credentials = document.querySelectorAll("input[data-credential]");

for (const input of credentials) {
  // A key that was pasted once is in the other forms too.
  input.addEventListener("input", () => {
    for (const other of credentials) if (other.dataset.credential === input.dataset.credential) other.value = input.value;
  });
}

for (const form of document.querySelectorAll("form[data-path]")) {
  const { server, path, header, prefix } = form.dataset;
  const curl = document.getElementById(form.dataset.curl);
  const [reply, status, headers, body] = ["", " .status", " dl", " pre"].map((part) => document.querySelector(`#${form.dataset.reply}${part}`));
  const command = curl.textContent.slice(0, curl.textContent.indexOf(`'${server}`));

  const address = () => {
    let filled = path;
    const query = new URLSearchParams();
    for (const input of form.querySelectorAll("input[data-in]")) {
      if (input.value === "") continue;
      if (input.dataset.in === "path") filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value));
      else query.append(input.name, input.value);
    }
    return server + filled + (query.size > 0 ? `?${query}` : "");
  };

  form.hidden = false;
  form.addEventListener("input", () => (curl.textContent = `${command}'${address().replaceAll("'", "%27")}'`));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    reply.hidden = false;
    status.textContent = form.dataset.sending;
    headers.replaceChildren();
    body.textContent = "";
    const credential = form.querySelector("input[data-credential]");
    try {
      const sent = credential && credential.value !== "" ? { [header]: prefix + credential.value.trim() } : {};
      const response = await fetch(address(), { headers: sent, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
      const text = await response.text();
      status.textContent = `${response.status} ${response.statusText}`;
      for (const [name, value] of response.headers) {
        if (!HEADERS.test(name)) continue;
        const [term, description] = [document.createElement("dt"), document.createElement("dd")];
        term.textContent = name;
        description.textContent = value;
        headers.append(term, description);
      }
      let shown = text;
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2);
      } catch {}
      if (shown.length > MAX_SHOWN) status.textContent += ` · ${form.dataset.shortened}`;
      body.textContent = shown.slice(0, MAX_SHOWN);
    } catch {
      status.textContent = form.dataset.failed;
    }
  });
}
