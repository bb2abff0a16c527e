// Answers every request with a page it made up.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const text = "<h1>Worker</h1><a href='/from-worker'>Made up</a>";
  event.respondWith(new Response(text, { headers: { "Content-Type": "text/html" } }));
});
