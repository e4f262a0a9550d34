import { notify } from '../../ui/overlay/message.tsx'
import { t } from '../../i18n/i18n.ts'

type Sharer = { domain: string; share_code: string }

/** SHELL-03: where a new member signs up below this account. Without a domain of its own, on this site. */
export const shareLink = ({ domain, share_code }: Sharer, ownSite = window.location.origin) => {
  const base = domain || ownSite
  return base.includes('?a=') ? `${base}${share_code}` : `${base.replace(/\/+$/, '')}/Signup/${share_code}`
}

/** On plain http there is no clipboard: an old way still works there. */
export const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const box = document.createElement('textarea')
    box.value = text
    box.className = 'heard'
    document.body.append(box)
    box.select()
    const done = document.execCommand('copy')
    box.remove()
    return done
  }
}

export const copyShareLink = async (own: Sharer) => {
  const link = shareLink(own)
  if (await copy(link)) notify.done(t('done.copied', { link }))
  else notify.refused(t('shell.not_copied', { link }))
}
