/** Registers `/sw.js`. The back office and the member's page have a worker each, told apart by their scope. */
export const startServiceWorker = (scope: '/' | '/m', after = 1500) => {
  // Browsers allow service workers only over https.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Wait, so that the worker's downloads do not delay the page's own.
  const start = () =>
    void setTimeout(() => void navigator.serviceWorker.register('/sw.js', { scope }).catch(() => {}), after)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
