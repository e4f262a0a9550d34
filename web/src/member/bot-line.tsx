import { useState } from 'react'
import { outbox } from '../chat/model/chat-session.ts'
import { useOutgoing } from '../chat/view/use-chat.ts'
import { useWords } from '../i18n/i18n.ts'

/** While a bot answers: says so, and asks for a person. Once: it goes away when people answer. */
export const BotLine = ({ code }: { code: string }) => {
  const { t } = useWords()
  const [sent, setSent] = useState<string>()
  const isRefused = useOutgoing(code).some(({ id, state }) => id === sent && state === 'failed')
  if (isRefused) setSent(undefined)
  const askPerson = () => setSent(outbox.add(code, t('member.ask_person')))
  return (
    <p className="m-bot" role="status">
      {t('member.bot_answers')}
      <button type="button" className="c-link" disabled={sent !== undefined} onClick={askPerson}>
        {t('member.ask_person')}
      </button>
    </p>
  )
}
