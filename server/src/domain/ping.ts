/** The kind of the webhook that a platform asks for to see whether its address answers. It is tried once. */
export const PING = 'ping'
