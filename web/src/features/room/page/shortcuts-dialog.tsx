import { CONTROL, ENTER } from '../../../ui/keyboard/key-names.ts'
import { KeysDialog, type Shortcut } from '../../../ui/overlay/keys-dialog.tsx'
import { commands } from '../state/commands.ts'

/** Keys that are not commands: they work in the text box. */
const inText: readonly Shortcut[] = [
  { keys: [ENTER], word: 'message.send' },
  { keys: [CONTROL, ENTER], word: 'keys.send_next' },
  { keys: ['Shift', ENTER], word: 'keys.new_line' },
  { keys: ['/'], word: 'template.quick_replies' },
]
const shortcuts = [...inText, ...Object.values(commands).map(({ key, word }) => ({ keys: ['Alt', key], word }))]

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <KeysDialog own={shortcuts} onClose={onClose} />
)
