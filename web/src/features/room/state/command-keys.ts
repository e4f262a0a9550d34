import { useEffect } from 'react'
import { isMac } from '../../../ui/keyboard/is-mac.ts'
import { isTyping } from '../../../ui/keyboard/keys-asked.ts'
import { type CommandId, commands, runCommand } from './commands.ts'

const byCode = new Map(Object.entries(commands).map(([id, { code }]) => [code as string, id as CommandId]))

/** The keys of the acts on a conversation and its member. */
export const useCommandKeys = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog is open.
      if (event.defaultPrevented || document.querySelector('[role="dialog"], dialog[open]')) return
      const { altKey, ctrlKey, metaKey, shiftKey } = event
      if (!altKey || ctrlKey || metaKey || shiftKey || event.getModifierState('AltGraph')) return
      const id = byCode.get(event.code)
      if (!id || (isTyping(event.target) && isMac && event.code.startsWith('Key'))) return
      event.preventDefault()
      runCommand(id)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
