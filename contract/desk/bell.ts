/**
 * What the bell says: a colleague has mentioned one, or handed over conversations; what one has asked for was decided; the
 * bank has refused a payment of a conversation that is one's own. No Zod here: the browser imports this file.
 */
export const bellKinds = ['mention', 'handed', 'decision', 'refused'] as const
export type BellKind = (typeof bellKinds)[number]
