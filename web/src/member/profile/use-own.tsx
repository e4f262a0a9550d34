import type { Answer, CallName, Input } from '@tallyroom/contract'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'

/** The calls that take no input: what they read is the member's own. */
type OwnCall = { [Name in CallName]: Record<string, never> extends Input<Name> ? Name : never }[CallName]

/** Reads what a sheet shows of the member's account. `state` draws the loading, the error and the next try. */
export const useOwn = <Name extends OwnCall>(name: Name) => {
  const { t } = useWords()
  const [own, setOwn] = useState<Answer<Name>>()
  const [trouble, setTrouble] = useState('')
  const load = useCallback(async () => {
    try {
      setOwn(await call(name, {} as Input<Name>))
      setTrouble('')
    } catch (error) {
      setTrouble(errorText(error))
    }
  }, [name])
  useEffect(() => void load(), [load])
  const state = (
    <>
      {trouble && <Alert text={trouble} />}
      {!own && !trouble && <p role="status">{t('chat.loading')}</p>}
      {!own && trouble && (
        <button type="button" className="button" onClick={() => void load()}>
          {t('action.try_again')}
        </button>
      )}
    </>
  )
  return { own, setOwn, setTrouble, load, state }
}
