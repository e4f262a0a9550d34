/** Listeners by topic. A topic is a room's code or a fixed name such as `list`. */
export const makeEmitter = () => {
  const topics = new Map<string, Set<() => void>>()
  return {
    emit: (topic: string) => {
      for (const listener of topics.get(topic) ?? []) listener()
    },
    subscribe: (topic: string, listener: () => void): (() => void) => {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) topics.delete(topic)
      }
    },
  }
}
