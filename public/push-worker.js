// Shows a person's notifications in their browser. It reads no page and answers no request: it knows pushes and nothing else.
self.addEventListener("push", (event) => {
  const { tag, title, text, environment, link } = event.data.json();
  const shown = {
    body: environment === null ? text : `${environment}: ${text}`,
    // One that continues takes the place of what it said before.
    tag,
    renotify: true,
    icon: "/icon.svg",
    data: { link },
  };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { link } = event.notification.data ?? {};
  // A page of this site, whatever a push says.
  const url = new URL(typeof link === "string" ? link : "/dashboard", self.location.origin);
  const page = url.origin === self.location.origin ? url.href : `${self.location.origin}/dashboard`;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then(async (windows) => {
      const open = windows.find((each) => each.url === page);
      return open ? open.focus() : self.clients.openWindow(page);
    }),
  );
});
