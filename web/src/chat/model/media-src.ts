import { configured } from '../../lib/config.ts'

/** Images come from the API server, which may be another host than the page's. */
let base = ''
void configured().then(
  ({ api }) => {
    base = api
  },
  () => {},
)

export const mediaSrc = (address: string) => (address.startsWith('/') ? `${base}${address}` : address)
