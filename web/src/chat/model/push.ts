import { CallError, call, newRequestId } from '../../api/call.ts'
import { currentFace, setStored, getStored } from '../../lib/storage.ts'
import { language, t } from '../../i18n/i18n.ts'

/**
 * News of new messages while no page of ours looks. Kept with the session: which browser has subscribed, and in which
 * language. The browser is asked only when somebody has pressed the switch.
 */
const KEY = 'push'

export const pushIsOn = () => getStored(KEY) !== undefined && getStored(KEY) !== ''

/** Phones of Apple know no notifications but for pages that are on the home screen. */
const isBareApple = () => 'standalone' in navigator && navigator.standalone === false && navigator.maxTouchPoints > 1

/** Why it cannot be had here, in words. */
const obstacle = (): string | undefined => {
  if (!window.isSecureContext) return t('push.insecure')
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isBareApple() ? t('push.install') : t('push.unsupported')
  return Notification.permission === 'denied' ? t('push.blocked') : undefined
}

/** The worker of this page, once it works. */
const worker = async (): Promise<ServiceWorkerRegistration> => {
  const scope = currentFace() === 'member' ? '/m' : '/'
  const found = await navigator.serviceWorker.register('/sw.js', { scope })
  const coming = found.installing ?? found.waiting
  if (!found.active && coming)
    await new Promise<void>((resolve, reject) => {
      coming.addEventListener('statechange', () => {
        if (coming.state === 'activated') resolve()
        if (coming.state === 'redundant') reject(new Error('no worker'))
      })
    })
  return found
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
const isFor = ({ options }: PushSubscription, key: Uint8Array) => {
  const own = options.applicationServerKey ? new Uint8Array(options.applicationServerKey) : undefined
  return own?.length === key.length && own.every((byte, at) => byte === key[at])
}

/** What the browser has, if it is for the server's key of today, or a new one; the server is told when it knows another. */
const subscribe = async (): Promise<void> => {
  const { public_key, subscribed } = await call('push/view', {})
  const { pushManager } = await worker()
  const key = bytesOf(public_key)
  let found = await pushManager.getSubscription()
  if (found && !isFor(found, key)) {
    await found.unsubscribe()
    found = null
  }
  found ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const mark = `${language()} ${found.endpoint}`
  if (subscribed && getStored(KEY) === mark) return
  const { p256dh = '', auth = '' } = found.toJSON().keys ?? {}
  await call('push/subscribe', { endpoint: found.endpoint, p256dh, auth, request_id: newRequestId() })
  setStored(KEY, mark)
}

/** To be called by a click. What is in the way is answered in words; nothing when it is on, or somebody has not decided. */
export const turnPushOn = async (): Promise<string | undefined> => {
  const reason = obstacle()
  if (reason) return reason
  try {
    const allowed = await Notification.requestPermission()
    if (allowed !== 'granted') return allowed === 'denied' ? t('push.blocked') : undefined
    await subscribe()
    return undefined
  } catch (error) {
    return error instanceof CallError ? error.message : t('push.failed')
  }
}

export const turnPushOff = async (): Promise<string | undefined> => {
  try {
    await call('push/unsubscribe', {})
  } catch (error) {
    return error instanceof CallError ? error.message : t('push.failed')
  }
  setStored(KEY, '')
  // The server sends nothing any more, so it does no harm if this fails.
  await worker()
    .then(({ pushManager }) => pushManager.getSubscription())
    .then((found) => found?.unsubscribe())
    .catch(() => {})
  return undefined
}

/** With every start of the page: browsers change their addresses, people their languages, installations their keys. */
export const keepPush = async (): Promise<void> => {
  if (!pushIsOn()) return
  if (obstacle() || Notification.permission !== 'granted') await turnPushOff()
  else await subscribe().catch(() => {})
}
