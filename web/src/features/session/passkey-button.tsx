import { useEffect, useState } from 'react'
import { offersPasskeySignIn, signInWithPasskey } from '../../api/passkey.ts'
import { useWords } from '../../i18n/i18n.ts'
import { storeProfile } from './profile.ts'
import type { Enter } from './enter.ts'
import { ErrorAlert } from './second-step.tsx'
import { messageOf } from './second-step-state.ts'

/** PASS-01: the user picks a passkey of this address; it names the account. */
export const PasskeyButton = ({ onEnter }: { onEnter: Enter }) => {
  const { t } = useWords()
  const [isOffered, setOffered] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  useEffect(() => {
    let isMounted = true
    offersPasskeySignIn().then(
      (found) => isMounted && setOffered(found),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])
  if (!isOffered) return null
  const press = async () => {
    if (busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      const profile = await signInWithPasskey('office')
      storeProfile(profile)
      return await onEnter(profile.start_page)
    } catch (error) {
      setRefused(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <button
        type="button"
        className="button sign-in-button"
        aria-busy={busy}
        aria-disabled={busy}
        onClick={() => void press()}
      >
        {busy && <span className="spinner" aria-hidden="true" />}
        <span>{t('passkey.sign_in')}</span>
      </button>
      {refused && <ErrorAlert text={refused} />}
    </>
  )
}
