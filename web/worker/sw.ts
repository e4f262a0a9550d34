/*
 * The service worker. It caches the files of one build, whose names contain a hash of their content, and the offline
 * page. It never caches an answer of a call. The build inserts the list of files (../service-worker.ts).
 *
 * A new worker waits until the last page of the old one is closed, and only then deletes the old files: a page that
 * stays open during an update still finds its scripts, which the server no longer has.
 *
 * No import or export here: browsers run it as a plain script.
 */
type Build = { version: string; office: string[]; member: string[] }
type News = { title?: string; body?: string; tag?: string; url?: string }

declare const __BUILD__: Build

const BUILD = __BUILD__
const OFFLINE = '/offline.html'
const worker = self as unknown as ServiceWorkerGlobalScope
/** The back office and the member's page have a worker each and share the cache storage. */
const face = new URL(worker.registration.scope).pathname === '/m' ? 'member' : 'office'
const own = `tallyroom-${face}-`
const store = own + BUILD.version

worker.addEventListener('install', (event) => {
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

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys()
      await Promise.all(
        names.filter((name) => name.startsWith(own) && name !== store).map((name) => caches.delete(name)),
      )
      await worker.clients.claim()
    })(),
  )
})

const openPage = async (request: Request): Promise<Response> => {
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

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate') event.respondWith(openPage(request))
  else if (pathname.startsWith('/assets/'))
    event.respondWith(caches.match(pathname, { ignoreVary: true }).then((kept) => kept ?? fetch(request)))
})

/** What a push says. Browsers require a notification for every push, also for one that is not ours. */
const newsOf = (event: PushEvent): News => {
  try {
    return (event.data?.json() ?? {}) as News
  } catch {
    return {}
  }
}

/**
 * Title and text come from the server in the user's language. A notification with the same tag replaces the earlier
 * one.
 */
worker.addEventListener('push', (event) => {
  const { title = 'Tallyroom', body = '', tag = '', url = face === 'member' ? '/m' : '/chat/messaging' } = newsOf(event)
  // Not in the types, because Safari and Firefox do not know it: it rings again for a replaced notification.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    renotify: tag !== '',
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { url },
  }
  event.waitUntil(worker.registration.showNotification(title, options))
})

const isOurs = ({ url }: Client) => /^\/(m|Signup)(\/|$)/.test(new URL(url).pathname) === (face === 'member')

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data as { url: string }
  event.waitUntil(
    (async () => {
      const pages = (await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(isOurs)
      const page = pages.find(({ focused }) => focused) ?? pages[0]
      if (!page) return worker.clients.openWindow(url)
      // Let the page navigate: a reload would close an open dialog.
      page.postMessage({ open: url })
      return page.focus()
    })(),
  )
})
