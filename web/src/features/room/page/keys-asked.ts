/** The rail's "?" asks for the list of keys, which the chat's frame shows. */
let listener: (() => void) | undefined

export const askForKeys = () => listener?.()

export const whenKeysAsked = (show: () => void) => {
  listener = show
  return () => {
    if (listener === show) listener = undefined
  }
}
