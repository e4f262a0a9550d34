import { randomBytes } from 'node:crypto'

/** The row that an endpoint's secret is sealed for. */
export const sealedEndpoint = (id: string): string => `webhook_endpoints/${id}`

const PREFIX = 'whsec_'
/** As Standard Webhooks writes them: 24 to 64 bytes in base64 after the prefix. */
export const newEndpointSecret = (): string => PREFIX + randomBytes(32).toString('base64')
export const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')
export const newEndpointId = (): string => `whe_${randomBytes(12).toString('hex')}`
