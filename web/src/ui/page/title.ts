import { useEffect } from 'react'
import { useWords } from '../../i18n/i18n.ts'

/** What was read out last: the room or the page. The browser reads out the first by itself, when the page is loaded. */
let subject = ''

/**
 * Names the tab by what it shows, such as a room and its page; the product comes last. Empty parts are left out. The
 * first part is read out when it changes, in the region of index.html.
 */
export const useTitle = (...parts: string[]) => {
  const { t } = useWords()
  const named = parts.filter(Boolean)
  const title = [...named, t('product.name')].join(' · ')
  const first = named[0] ?? ''
  useEffect(() => {
    document.title = title
    const news = document.getElementById('title-news')
    if (news && first && subject && first !== subject) news.textContent = first
    subject = first || subject
  }, [title, first])
}
