"use strict";
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break; // it needs https
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
const agent = navigator.userAgent;
const system = /Android|iPhone|iPad/.test(agent) ? "phone" : /Windows/.test(agent) ? "win" :
  /Mac/.test(agent) ? "mac" : "linux";
document.querySelector(`[data-system=${system}]`).open = true;
setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch("/live.json");
    if (answer.ok) document.getElementById("live").textContent = (await answer.json()).text;
  } catch {} // the server restarts, or the visitor is offline
}, 15000);
