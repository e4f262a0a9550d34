import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { useMemo, useState } from 'react'
import { useMenu } from '../../api/use-menu.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { fuzzyFind } from '../../lib/fuzzy-find.ts'
import { nameRank } from '../../lib/name-rank.ts'
import type { IconName } from '../../ui/icon.tsx'
import { type Choice, MAX_CHOICES, type PaletteSource } from '../../ui/palette-source.ts'
import { menuIcon, menuWord } from '../shell/pages.ts'
import { recent } from './recent.ts'

type Group = { name: string; choices: readonly Choice[]; rank?: 'first' | 'last' | undefined }

type Shown = { groups: readonly Group[]; searching: boolean; error: Error | null }

/** The choices that match the typed text, in groups. Without text: the latest choices, then all pages. */
export const useChoices = (text: string, sources: readonly PaletteSource[]): Shown => {
  const { t } = useWords()
  const pages = usePages()
  // The sources never change while the palette is open, so the hooks keep their order.
  const found = sources.map((source) => ({
    name: t(source.name),
    rank: source.rank?.(),
    ...source.useChoices(text),
  }))
  const [before] = useState(recent)
  const groups: readonly Group[] =
    text === ''
      ? [
          { name: t('palette.recent'), choices: currentRecent(before, pages) },
          ...found,
          { name: t('palette.pages'), choices: pages },
        ]
      : inOrder([{ name: t('palette.pages'), choices: pagesLike(pages, text).slice(0, MAX_CHOICES) }, ...found], text)
  const order = (choice: Choice) => {
    const at = before.findIndex(({ key }) => key === choice.key)
    return at < 0 ? before.length : at
  }
  const shown = groups
    .map(({ name, choices }, at) => ({
      name,
      choices:
        text === ''
          ? // A page of the first group is not listed twice.
            choices.filter(({ key }) => at === 0 || !groups[0]?.choices.some((one) => one.key === key))
          : choices.toSorted((a, b) => isStrong(b, text) - isStrong(a, text) || order(a) - order(b)),
    }))
    .filter(({ choices }) => choices.length > 0)
  return {
    groups: shown,
    searching: found.some(({ searching }) => searching),
    error: found.find(({ error }) => error)?.error ?? null,
  }
}

/** 1 when a word of the choice begins with the typed text. */
const isStrong = ({ title, detail }: Choice, text: string): 0 | 1 => {
  const wanted = foldWanted(text)
  return Math.min(nameRank(fold(title), wanted), nameRank(fold(detail), wanted)) < 2 ? 1 : 0
}

const ranks = { first: 0, middle: 1, last: 2 } as const
/** Sorts by place, and puts groups with a word that begins with the typed text before those that only contain it. */
const inOrder = (groups: readonly Group[], text: string) => {
  const order = ({ rank, choices }: Group) =>
    2 * ranks[rank ?? 'middle'] + (choices.some((choice) => isStrong(choice, text) === 1) ? 0 : 1)
  return groups.toSorted((a, b) => order(a) - order(b))
}

/** The latest choices: pages with their current title, without those that are no longer in the menu. */
const currentRecent = (before: readonly Choice[], pages: readonly Choice[]) =>
  before.flatMap((choice) => (choice.kind === 'page' ? pages.filter(({ key }) => key === choice.key) : [choice]))

const pagesLike = (pages: readonly Choice[], text: string) =>
  fuzzyFind(
    pages.map((page) => ({ ...page, content: '', memo: page.href })),
    text,
  ).map(({ content: _content, memo: _memo, ...page }) => page)

/** The pages of the account's menu and those below them. */
const usePages = (): Choice[] => {
  const { t } = useWords()
  const menu = useMenu().pages
  const own = useCall('user/view', {}, { meta: { optional: true } })
  return useMemo(() => {
    const page = (href: string, title: string, icon: IconName): Choice => ({
      key: `page ${href}`,
      kind: 'page',
      icon,
      title,
      detail: '',
      href,
    })
    const all = (menu ?? []).flatMap(({ name, url }) => {
      const entry = page(url, menuWord(t, name), menuIcon(name))
      if (name !== 'chat') return [entry]
      return [
        entry,
        ...(own.data?.chat_ai_bot_visible === 1
          ? [page('/chat/messaging?ai=1', t('chat.messaging_ai'), 'bot' as const)]
          : []),
        page('/chat/hide', t('chat.hidden'), 'hidden'),
        page('/chat/contact', t('contact.title'), 'contacts'),
      ]
    })
    return own.data?.customized_has_qrcode_show === 1 ? [...all, page('/shareQRCode', t('share.title'), 'qr')] : all
  }, [t, menu, own.data])
}
