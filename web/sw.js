/*
 * What stands between the pages and the line. It never keeps an answer of a call. It keeps the files of one build, whose names
 * say their content, and one page for when nothing answers. The build puts its list in (service-worker.ts beside this file).
 *
 * A newer one waits until the last page of the older is closed, and only then are the older's files thrown away: so a page
 * that stays open over an update still finds all its parts, which the server has no more.
 */
const BUILD = __BUILD__
const OFFLINE = '/offline.html'
/** The back office and the member's page have one each, and share the store. */
const face = new URL(self.registration.scope).pathname === '/m' ? 'member' : 'office'
const own = `tallyroom-${face}-`
const store = own + BUILD.version

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(store)
      // As it is on the server now, whatever the browser has kept.
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
    // A proxy in front answers for a server that does not.
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

/** The name of a room and "new message", in the words of whoever asked for it; a later one takes the place of an earlier. */
self.addEventListener('push', (event) => {
  let news = {}
  try {
    news = event.data.json()
  } catch {
    // Nothing that we sent. Browsers want something to be shown for each all the same.
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
      // The page goes there itself: loaded anew it would lose a dialog that is open elsewhere.
      page.postMessage({ open: url })
      return page.focus()
    })(),
  )
})
