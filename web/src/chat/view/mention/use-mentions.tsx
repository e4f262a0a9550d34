import { type Mention, mentionsIn } from '@tallyroom/contract/text/mentions'
import { type KeyboardEvent, type RefObject, Suspense, useEffect, useId, useMemo, useState } from 'react'
import { useColleagues } from '../colleagues.ts'
import { insertText, withSpaces } from '../composer/composer-plugin.ts'
import { loadAdminWords } from '../../../i18n/admin-words.ts'
import { fuzzyFind } from '../../../lib/fuzzy-find.ts'
import { getStored } from '../../../lib/storage.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { nameOf } from '../../../ui/person.tsx'
import { type Marked, pickKeys, useActiveOption, useMarked } from '../pick/pick.ts'
import { mentionAt } from './mention-at.ts'
import { type Mentionable, mentionable } from './mentionable.ts'

const load = async () => (await Promise.all([import('./mention-list.tsx'), loadAdminWords()]))[0]
const MentionList = lazyPart(async () => (await load()).MentionList)
const Notified = lazyPart(async () => (await load()).Notified)

const MAX_SHOWN = 20

type Box = HTMLTextAreaElement | HTMLInputElement
type Field = {
  box: RefObject<Box | null>
  text: string
  /** Whom the user has chosen while writing. */
  chosen: readonly Mention[]
  onChoose: (chosen: Mention[]) => void
  /** In a dialog the list is below the field, which would cut it off. */
  inline?: boolean
}

/**
 * BELL-01: `@` in a field opens the colleagues, whom arrows, Enter and Tab choose. A mention is what was chosen and is still in
 * the text; a name that is typed by hand is a text.
 */
export const useMentions = ({ box, text, chosen, onChoose, inline = false }: Field) => {
  const id = useId()
  const [caret, setCaret] = useState(text.length)
  const [closedAt, setClosedAt] = useState<number>()
  const marked = useState<Marked>()
  const at = mentionAt(text, Math.min(caret, text.length))
  const from = at?.from
  const isChosen = from !== undefined && chosen.some(({ name }) => text.startsWith(`@${name}`, from))
  const isWanted = from !== undefined && from !== closedAt && !isChosen
  const [isAsked, setAsked] = useState(false)
  if (isWanted && !isAsked) setAsked(true)
  const colleagues = useColleagues(isAsked)
  const entries = useMemo(() => {
    const own = Number(getStored('user_id') ?? 0)
    return mentionable(colleagues.data?.data ?? [])
      .filter((entry) => entry.id !== own)
      .map((entry) => ({ ...entry, title: nameOf(entry.person), memo: entry.person.username, content: '' }))
  }, [colleagues.data])
  const typed = at?.typed ?? ''
  const found = isWanted ? fuzzyFind(entries, typed).slice(0, MAX_SHOWN) : []
  const { current, mark } = useMarked(found, typed, marked)
  const isOpen = found.length > 0 || (isWanted && typed === '')
  // One that was closed stays closed as long as it is being written.
  useEffect(() => {
    if (from === undefined) setClosedAt(undefined)
  }, [from])
  useActiveOption(box, id, found.length > 0 ? `${id}-${current}` : undefined)

  const choose = ({ id: chosenId, name }: Mentionable) => {
    if (from === undefined) return
    onChoose([...chosen.filter((one) => one.id !== chosenId), { id: chosenId, name }])
    const after = text.slice(caret)
    insertText(box.current, from, caret, `${withSpaces(`@${name}`, '', after)}${after === '' ? ' ' : ''}`)
  }
  return {
    mentions: mentionsIn(text, chosen),
    isOpen,
    /** Props of the field: without them it does not know where the caret is. */
    onSelect: ({ currentTarget }: { currentTarget: Box }) => setCaret(currentTarget.selectionStart ?? 0),
    /** Call it before the field's own keys. @returns whether the key was one of the list's */
    onKey: (event: KeyboardEvent): boolean => {
      if (!isOpen || event.ctrlKey || event.altKey || event.metaKey) return false
      return pickKeys(event, { found, current, mark, choose, close: () => setClosedAt(from), takesTab: true })
    },
    list: (
      <Suspense>
        {isOpen && (
          <MentionList
            id={id}
            inline={inline}
            found={found}
            current={current}
            isPending={colleagues.isPending}
            error={colleagues.error?.message}
            onHighlight={mark}
            onChoose={choose}
          />
        )}
      </Suspense>
    ),
    /** Who is notified when it is sent. */
    notified: <Suspense>{chosen.length > 0 && <Notified mentions={mentionsIn(text, chosen)} />}</Suspense>,
  }
}
