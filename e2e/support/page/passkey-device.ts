import type { Browser, Page } from '@playwright/test'
import { browserOf } from '../people.ts'
import type { Server } from '../server.ts'

/** A browser whose device has a passkey store that its user unlocks. Passkeys need a host name. */
export const browserWithPasskeys = async (
  browser: Browser,
  server: Server,
  options: Parameters<typeof browserOf>[2] = {},
): Promise<Page> => {
  const page = await browserOf(browser, server, { baseURL: server.url.replace('127.0.0.1', 'localhost'), ...options })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}
