// What pages can do better with a script. Nothing here is needed, nothing here asks the server, and a browser that lacks something goes without.
"use strict";

// Copy buttons appear only where they work.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  const label = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      button.textContent = button.dataset.done;
      setTimeout(() => (button.textContent = label), 2000);
    } catch {
      getSelection().selectAllChildren(source);
    }
  });
}

// A password can be looked at while it is written, and is sent as a password.
for (const button of document.querySelectorAll("button[data-reveals]")) {
  const input = document.getElementById(button.dataset.reveals);
  const show = (isShown) => {
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", isShown);
  };
  button.hidden = false;
  button.addEventListener("click", () => show(input.type === "password"));
  input.form.addEventListener("submit", () => show(false));
}

// Moments are in the school's zone; who points at one sees it in their own.
for (const time of document.querySelectorAll("time[datetime*='T']")) {
  const moment = new Date(time.dateTime);
  if (!isNaN(moment)) time.title = moment.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "long" });
}

// A sign-in that has run out says so.
for (const line of document.querySelectorAll("[data-ends]")) {
  const left = new Date(line.dataset.ends) - Date.now();
  if (left < 2 ** 31) setTimeout(() => (line.textContent = line.dataset.over), Math.max(left, 0));
}

// A long form that was changed is not lost by accident.
for (const form of document.querySelectorAll("form[data-unsaved]")) {
  let isChanged = false;
  form.addEventListener("input", () => (isChanged = true));
  form.addEventListener("submit", () => (isChanged = false));
  addEventListener("beforeunload", (event) => isChanged && event.preventDefault());
}

// Escape and a click elsewhere close an open menu.
const openMenus = () => document.querySelectorAll("details.menu[open], details.pick[open]");
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
addEventListener("click", (event) => {
  for (const menu of openMenus()) menu.open = menu.contains(event.target);
});

// A form is sent once, however often the button is pressed. A file leaves the page as it is, so its button works again after the double click, and every other one when an answer seems to be lost.
for (const form of document.querySelectorAll("form[method=post]")) {
  let sent;
  const release = () => (sent = clearTimeout(sent));
  form.addEventListener("submit", (event) => {
    if (sent) return event.preventDefault();
    sent = setTimeout(release, event.submitter?.hasAttribute("data-download") ? 1000 : 10000);
  });
  addEventListener("pageshow", release);
}

// The scope picker shows what matches.
for (const input of document.querySelectorAll("input[data-filter]")) {
  const picker = document.getElementById(input.dataset.filter);
  const none = document.createElement("p");
  none.className = "quiet";
  none.setAttribute("role", "status");
  picker.after(none);
  input.closest(".find").hidden = false;
  input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  input.addEventListener("input", () => {
    const wanted = input.value.trim().normalize().toLowerCase();
    const matches = (element) => element.textContent.normalize().toLowerCase().includes(wanted);
    let found = 0;
    for (const group of picker.querySelectorAll(".group")) {
      const isNamed = matches(group.querySelector("h2"));
      let shown = 0;
      for (const tick of group.querySelectorAll(".tick")) {
        tick.hidden = !isNamed && !matches(tick);
        if (!tick.hidden) shown += 1;
      }
      group.hidden = shown === 0;
      found += shown;
    }
    none.textContent = found ? "" : input.dataset.none;
  });
}

// Redirect URIs are checked as they are typed, by the rules that the page lists. The server decides.
for (const area of document.querySelectorAll("textarea[data-redirects]")) {
  const rules = document.getElementById(area.dataset.redirects);
  const live = document.getElementById(area.id + "-live");
  let timer;
  const check = () => {
    const lines = area.value.split("\n").map((line, at) => [at + 1, line.trim()]);
    const used = lines.filter(([, line]) => line);
    const faults = used.map(([at, line]) => [at, redirectFault(line)]).filter(([, fault]) => fault);
    live.replaceChildren(...faults.map(([at, fault]) => paragraph("bad", rules.dataset.line.replace("{}", at) + ": " + ruleText(fault))));
    if (used.length && !faults.length) live.append(paragraph("good", rules.dataset.good));
  };
  const ruleText = (fault) => rules.querySelector(`[data-rule=${fault}]`).textContent;
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  });
}

function paragraph(kind, text) {
  const element = document.createElement("p");
  element.className = kind;
  element.textContent = text;
  return element;
}

/** The first rule that an address breaks, as `InvalidRedirectUri` in the domain has them; nothing for a good one. redirect_uris.txt has cases. */
function redirectFault(text) {
  if (new TextEncoder().encode(text).length > 2000) return "length";
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#[^#]*)?$/.exec(text);
  if (!parts || /[^!-~]|[\\"<>^`{|}]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return "absolute";
  const [, scheme, authority = "", path, query = "", fragment = ""] = parts;
  const [, user, host, port] = /^([^@[\]]*@)?(\[[^\]@]*\]|[^:@[\]]*)(?::(\d*))?$/.exec(authority) ?? [];
  if (host === undefined || /[[\]]/.test(path + query + fragment) || (host.startsWith("[") && !isAddress(host))) return "absolute";
  if (fragment) return "fragment";
  if (user) return "user";
  if (Number(port ?? 0) > 65535) return "port";
  if (scheme === "https" && !host) return "host";
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(host);
  const isPrivate = scheme.includes(".") && scheme === scheme.toLowerCase();
  if (scheme !== "https" && !(scheme === "http" && isLoopback) && !isPrivate) return "scheme";
  const reserved = ["code", "state", "iss", "error", "error_description"];
  const names = query.split("&").map((pair) => pair.split("=")[0].replace(/%[0-9A-Fa-f]{2}/g, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16))));
  return names.some((name) => reserved.includes(name)) ? "reserved" : undefined;
}

/** Whether a host in brackets is an address. */
function isAddress(host) {
  try {
    return Boolean(new URL("http://" + host));
  } catch {
    return false;
  }
}
