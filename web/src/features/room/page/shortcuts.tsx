import { Suspense, useEffect, useState } from 'react'
import { isMac } from '../../../ui/keyboard/is-mac.ts'
import { isTyping, whenKeysAsked } from '../../../ui/keyboard/keys-asked.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { type CommandId, commands, runCommand, useCommand } from '../state/commands.ts'
import { useGo } from '../state/use-go.ts'

const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

const byCode = new Map(Object.entries(commands).map(([id, { code }]) => [code as string, id as CommandId]))

/** The keys of the chat. */
export const Shortcuts = () => {
  const [open, setOpen] = useState(false)
  const go = useGo()
  useCommand('down', () => go('down'))
  useCommand('up', () => go('up'))
  useCommand('waiting', () => go('waiting'))
  useCommand('search', () => document.querySelector<HTMLElement>('.room-list [type="search"]')?.focus())

  useEffect(() => whenKeysAsked(() => setOpen(true)), [])
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

  return <Suspense>{open && <ShortcutsDialog onClose={() => setOpen(false)} />}</Suspense>
}
