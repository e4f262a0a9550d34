import { useMatches } from '@tanstack/react-router'
import { PageLoading } from '../../../ui/page/page-loading.tsx'
import { useWords } from '../../../i18n/i18n.ts'

/** Shown while a page of the chat is loading. It has the heading already. */
export const ChatLoading = () => {
  const { t } = useWords()
  const title = useMatches().findLast(({ staticData }) => staticData.listTitle)?.staticData.listTitle
  return (
    <>
      <h1 className="visually-hidden">{t(title ?? 'menu.chat')}</h1>
      <PageLoading />
    </>
  )
}
