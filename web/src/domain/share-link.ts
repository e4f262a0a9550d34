import { t } from '../i18n/i18n.ts'
import { copyText } from '../lib/clipboard.ts'
import { notify } from '../ui/overlay/message.tsx'

export type Sharer = { domain: string; share_code: string }

/** SHELL-03: the address where a new member signs up below this account; without a domain of its own, on this site. */
export const shareLink = ({ domain, share_code }: Sharer, ownSite = window.location.origin) => {
  const base = domain || ownSite
  return base.includes('?a=') ? `${base}${share_code}` : `${base.replace(/\/+$/, '')}/Signup/${share_code}`
}

/** The address of the site for other devices, which `site` is when this page is open on the server's own machine. */
export const siteForOthers = (
  site: string | undefined,
  { hostname, origin }: Pick<URL, 'hostname' | 'origin'> = window.location,
) => (/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) && site) || origin

export const copyShareLink = async (own: Sharer, ownSite?: string) => {
  const link = shareLink(own, ownSite)
  if (await copyText(link)) notify.done(t('done.copied', { link }))
  else notify.refused(t('shell.not_copied', { link }))
}
