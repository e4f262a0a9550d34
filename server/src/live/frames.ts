/** An action on the sockets of a copy, which the other copies repeat on theirs. */
export type RelayedEvent = { event: string; to: string[]; except: string[]; payload: unknown }
export type RelayAction = Traced &
  (
    | { do: 'say'; said: RelayedEvent[] }
    | { do: 'end'; sessions: string[]; reason: string }
    | { do: 'mask'; accounts: number[]; masks: boolean }
    | { do: 'rights'; accounts: number[] }
    | { do: 'reconnect'; channels: string[] }
    /** Names what a commit may have changed. A copy that does not know an action fetches everything it may have missed. */
    | { do: 'look'; rooms: number[]; accounts: number[]; everyone: boolean }
  )
/** Continues the trace of what made it; only where traces are collected. */
type Traced = { trace?: string }
/** `carried` reads the running trace. */
export const withTrace = (action: RelayAction, carried: (() => string | undefined) | undefined): RelayAction => {
  const trace = carried?.()
  return trace === undefined ? action : { ...action, trace }
}

export type LookAction = Extract<RelayAction, { do: 'look' }>

/**
 * On the common channel. `n`: the number of counted frames of this copy, including this one. `beat`: the number of the
 * second that ends with this frame; `said`: how many counted actions it sent in each topic meanwhile, if any. The field
 * names are the protocol between copies, which may run different versions during an upgrade.
 */
export type Frame = {
  from: string
  n: number
  deed?: RelayAction
  loose?: true
  hello?: true
  bye?: true
  beat?: number
  said?: Record<string, number>
}
/** On the channel of a topic. `i`: its number among the counted actions of this topic in this second. */
export type TopicFrame = { from: string; beat: number; i?: number; deed: RelayAction }
