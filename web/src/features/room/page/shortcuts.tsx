import { Suspense, useEffect, useState } from 'react'
import { whenKeysAsked } from '../../../ui/keyboard/keys-asked.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useCommand } from '../state/commands.ts'
import { useCommandKeys } from '../state/command-keys.ts'
import { useGo } from '../state/use-go.ts'

const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** The keys of the chat. */
export const Shortcuts = () => {
  const [open, setOpen] = useState(false)
  const go = useGo()
  useCommand('down', () => go('down'))
  useCommand('up', () => go('up'))
  useCommand('waiting', () => go('waiting'))
  useCommand('search', () => document.querySelector<HTMLElement>('.room-list [type="search"]')?.focus())

  useEffect(() => whenKeysAsked(() => setOpen(true)), [])
  useCommandKeys()

  return <Suspense>{open && <ShortcutsDialog onClose={() => setOpen(false)} />}</Suspense>
}
