import { configured } from '../../api/call.ts'

/** Images stand on the server that answers the calls, which may be another than the page's. */
let base = ''
void configured().then(
  ({ api }) => {
    base = api
  },
  () => {},
)

export const mediaSrc = (address: string) => (address.startsWith('/') ? `${base}${address}` : address)
