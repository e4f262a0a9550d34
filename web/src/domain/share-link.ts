import { t } from '../i18n/i18n.ts'
import { copyText } from '../lib/clipboard.ts'
import { notify } from '../ui/overlay/message.tsx'

type Sharer = { domain: string; share_code: string }

/** SHELL-03: the address where a new member signs up below this account; without a domain of its own, on this site. */
export const shareLink = ({ domain, share_code }: Sharer, ownSite = window.location.origin) => {
  const base = domain || ownSite
  return base.includes('?a=') ? `${base}${share_code}` : `${base.replace(/\/+$/, '')}/Signup/${share_code}`
}

export const copyShareLink = async (own: Sharer) => {
  const link = shareLink(own)
  if (await copyText(link)) notify.done(t('done.copied', { link }))
  else notify.refused(t('shell.not_copied', { link }))
}
