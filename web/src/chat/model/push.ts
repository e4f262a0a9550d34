import { CallError, call, newRequestId } from '../../api/call.ts'
import { currentFace, setStored, getStored } from '../../lib/storage.ts'
import { language, t } from '../../i18n/i18n.ts'

/**
 * Push notifications while no page is open. Stored with the session: the subscription's endpoint and language. The
 * browser's permission is requested only after the user has pressed the switch.
 */
const KEY = 'push'

export const pushIsOn = () => getStored(KEY) !== undefined && getStored(KEY) !== ''

/** On iPhones and iPads push works only for pages added to the home screen. */
const isBareApple = () => 'standalone' in navigator && navigator.standalone === false && navigator.maxTouchPoints > 1

/** Why push is not available in this browser, as a text for the user. */
const unavailableReason = (): string | undefined => {
  if (!window.isSecureContext) return t('push.insecure')
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isBareApple() ? t('push.install') : t('push.unsupported')
  return Notification.permission === 'denied' ? t('push.blocked') : undefined
}

/** Resolves when the page's service worker is active. */
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
const usesKey = ({ options }: PushSubscription, key: Uint8Array) => {
  const own = options.applicationServerKey ? new Uint8Array(options.applicationServerKey) : undefined
  return own?.length === key.length && own.every((byte, at) => byte === key[at])
}

/** Keeps the browser's subscription if it uses the server's current key, else makes a new one. Sends it if it changed. */
const subscribe = async (): Promise<void> => {
  const { public_key, subscribed } = await call('push/view', {})
  const { pushManager } = await worker()
  const key = bytesOf(public_key)
  let found = await pushManager.getSubscription()
  if (found && !usesKey(found, key)) {
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

/** Call it from a click. @returns why it failed; undefined when it is on, or the user closed the browser's question */
export const enablePush = async (): Promise<string | undefined> => {
  const reason = unavailableReason()
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

export const disablePush = async (): Promise<string | undefined> => {
  try {
    await call('push/unsubscribe', {})
  } catch (error) {
    return error instanceof CallError ? error.message : t('push.failed')
  }
  setStored(KEY, '')
  // May fail: the server sends no more pushes anyway.
  await worker()
    .then(({ pushManager }) => pushManager.getSubscription())
    .then((found) => found?.unsubscribe())
    .catch(() => {})
  return undefined
}

/** Call it at every start of the page: the endpoint, the user's language or the server's key may have changed. */
export const renewPush = async (): Promise<void> => {
  if (!pushIsOn()) return
  if (unavailableReason() || Notification.permission !== 'granted') await disablePush()
  else await subscribe().catch(() => {})
}

/** Takes away what this browser shows under a tag. */
export const closeNotifications = async (tag: string): Promise<void> => {
  if (!pushIsOn() || !('serviceWorker' in navigator)) return
  const found = await navigator.serviceWorker.getRegistration()
  for (const one of (await found?.getNotifications({ tag })) ?? []) one.close()
}
