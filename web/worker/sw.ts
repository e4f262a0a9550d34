/*
 * The service worker. It caches the files of one build, whose names contain a hash of their content, and the offline
 * page. It never caches an answer of a call. The build inserts the list of files (service-worker.ts beside this file).
 *
 * A new worker waits until the last page of the old one is closed, and only then deletes the old files: a page that
 * stays open during an update still finds its scripts, which the server no longer has.
 */
const BUILD = __BUILD__
const OFFLINE = '/offline.html'
/** The back office and the member's page have a worker each and share the cache storage. */
const face = new URL(self.registration.scope).pathname === '/m' ? 'member' : 'office'
const own = `tallyroom-${face}-`
const store = own + BUILD.version

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(store)
      // Skip the browser's HTTP cache.
      await cache.add(new Request(OFFLINE, { cache: 'reload' }))
      for (const file of BUILD[face]) {
        const kept = await caches.match(file, { ignoreVary: true })
        if (kept) await cache.put(file, kept)
        else await cache.add(file)
      }
    })(),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys()
      await Promise.all(
        names.filter((name) => name.startsWith(own) && name !== store).map((name) => caches.delete(name)),
      )
      await self.clients.claim()
    })(),
  )
})

const open = async (request) => {
  try {
    const answer = await fetch(request)
    // A proxy answers 502 to 504 when the server does not.
    if (answer.status < 502 || answer.status > 504) return answer
    return (await caches.match(OFFLINE, { ignoreVary: true })) ?? answer
  } catch (error) {
    const page = await caches.match(OFFLINE, { ignoreVary: true })
    if (page) return page
    throw error
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(open(request))
  else if (pathname.startsWith('/assets/'))
    event.respondWith(caches.match(pathname, { ignoreVary: true }).then((kept) => kept ?? fetch(request)))
})

/**
 * Title and text come from the server in the user's language. A notification with the same tag replaces the earlier
 * one.
 */
self.addEventListener('push', (event) => {
  let news = {}
  try {
    news = event.data.json()
  } catch {
    // Not our data. Browsers require a notification for every push all the same.
  }
  const { title = 'Tallyroom', body = '', tag = '', url = face === 'member' ? '/m' : '/chat/messaging' } = news
  const shown = { body, tag, renotify: tag !== '', icon: '/icon-192.png', badge: '/icon-192.png', data: { url } }
  event.waitUntil(self.registration.showNotification(title, shown))
})

const isOurs = ({ url }) => /^\/(m|Signup)(\/|$)/.test(new URL(url).pathname) === (face === 'member')

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data
  event.waitUntil(
    (async () => {
      const pages = (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(isOurs)
      const page = pages.find(({ focused }) => focused) ?? pages[0]
      if (!page) return self.clients.openWindow(url)
      // Let the page navigate: a reload would close an open dialog.
      page.postMessage({ open: url })
      return page.focus()
    })(),
  )
})
