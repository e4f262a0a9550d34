/** Its scope says whose it is: the two pages have one each, though the program is the same. */
export const startServiceWorker = (scope: '/' | '/m', after = 1500) => {
  // Over plain http there is none.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // After what the first page itself needs.
  const start = () =>
    void setTimeout(() => void navigator.serviceWorker.register('/sw.js', { scope }).catch(() => {}), after)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
