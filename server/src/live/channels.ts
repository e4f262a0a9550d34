import { type Actor, chatGroup } from '../identity/actor.ts'

/** The name of a channel, or of its twin for viewers who see usernames masked. */
export const channel = (name: string, masks: boolean) => (masks ? `${name}:masked` : name)
export const masked = (names: string[]) => names.map((name) => channel(name, true))

/** The topic that a socket in this channel needs; undefined: its events go to all copies. */
export const topicOf = (name: string): string | undefined => {
  const [, kind, id] = /^(group|user|partner):(\d+)(?::masked)?$/.exec(name) ?? []
  return kind && `${kind === 'group' ? 'group' : 'user'}:${id}`
}
/** Whether sockets in one of these channels need a topic. */
export const isTopicNeeded = (channels: ReadonlyMap<string, unknown>, topic: string) =>
  [topic, channel(topic, true), topic.replace('user', 'partner')].some((name) => channels.has(name))

/** Whether a channel has a masked twin (`plain`), or is one. */
export const isSplit = (name: string, plain: boolean) =>
  plain ? /^(group|room|user):[^:]+$/.test(name) : /^(group|room|user):[^:]+:masked$/.test(name)

/** The channels that a socket of this account is always in. */
export const ownChannels = (actor: Actor) => [
  `user:${actor.id}`,
  `session:${actor.session.id}`,
  ...(chatGroup(actor) ? [channel(`group:${actor.groupId}`, actor.masks)] : []),
  ...(actor.masks ? [channel(`user:${actor.id}`, true)] : []),
  // Settings are inherited: changes of the accounts above concern this group.
  ...actor.groupPath
    .split('/')
    .filter(Boolean)
    .map((id) => `below:${id}`),
]
