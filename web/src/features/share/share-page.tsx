import type { Answer } from '@tallyroom/contract'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { PicturePicker } from '../../media/picture-picker.tsx'
import { copyShareLink, shareLink } from '../../domain/share-link.ts'
import { Button } from '../../ui/control/button.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { drawPoster } from './poster.ts'
import './share.css'

type OwnAccount = Answer<'user/view'>

/** /shareQRCode (SET-07): the user's sign-up link as a poster to print or send. */
export const SharePage = () => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  if (own.error && !own.data) {
    return (
      <div className="page-narrow">
        <Alert text={own.error.message} />
        <Button onClick={() => void own.refetch()}>{t('action.try_again')}</Button>
      </div>
    )
  }
  if (!own.data) return <div className="card" aria-busy="true" />
  return own.data.customized_has_qrcode_show === 1 ? <Poster own={own.data} /> : <Navigate to="/index" />
}

/** The account's stored picture; undefined while loading and without one. */
const usePicture = (address: string) => {
  const [found, setFound] = useState<{ address: string; picture?: ImageBitmap; failed?: boolean }>({ address: '' })
  useEffect(() => {
    let isMounted = true
    const load = async () => {
      if (!address) return setFound({ address })
      try {
        const answer = await fetch(mediaSrc(address), { credentials: 'include' })
        if (!answer.ok) throw new Error(String(answer.status))
        const picture = await createImageBitmap(await answer.blob())
        if (isMounted) setFound({ address, picture })
      } catch {
        if (isMounted) setFound({ address, failed: true })
      }
    }
    void load()
    return () => {
      isMounted = false
    }
  }, [address])
  return found.address === address ? found : { address }
}

const Poster = ({ own }: { own: OwnAccount }) => {
  const { t } = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { picture, failed } = usePicture(own.customized_cs_qrcode_pic_url)
  const link = shareLink(own)
  const label = t('share.label', { code: own.share_code })
  // The group's look, which a member meets on the page that the code opens.
  const group = useCall('setting/view', {}, { meta: { optional: true } })
  const portrait = usePicture(own.thumbnail)
  const title = group.data?.name || nameOf(own)
  const lead = t('share.lead')
  const isLoading =
    group.isPending ||
    (own.customized_cs_qrcode_pic_url !== '' && !picture && !failed) ||
    (own.thumbnail !== '' && !portrait.picture && !portrait.failed)
  const { header_background_color: ground = '', header_font_color: text = '' } = group.data ?? {}
  useEffect(() => {
    const look = { picture: portrait.picture, ground, text }
    if (canvas.current && !isLoading) drawPoster(canvas.current, { link, label, title, lead, picture, group: look })
  }, [link, label, title, lead, picture, portrait.picture, ground, text, isLoading])

  const download = () =>
    canvas.current?.toBlob((blob) => {
      if (!blob) return
      const address = URL.createObjectURL(blob)
      const anchor = document.createElement('a')
      anchor.href = address
      anchor.download = `${own.share_code}.png`
      anchor.click()
      setTimeout(() => URL.revokeObjectURL(address), 10_000)
    }, 'image/png')

  return (
    <div className="share-page">
      {failed && <Alert text={t('share.picture_failed')} />}
      <canvas ref={canvas} className="share-canvas" role="img" aria-label={t('share.picture_of', { link })} />
      <div className="card share-side">
        <h2>{t('share.link')}</h2>
        <p className="share-link">{link}</p>
        <div className="share-buttons">
          <Button main icon="deposit" disabled={isLoading} onClick={download}>
            {t('share.download')}
          </Button>
          <Button icon="copy" onClick={() => void copyShareLink(own)}>
            {t('shell.copy_link')}
          </Button>
        </div>
        <PictureButtons own={own} />
      </div>
    </div>
  )
}

const PictureButtons = ({ own }: { own: OwnAccount }) => {
  const { t } = useWords()
  const save = useSend('share/savePicture', { refreshes: ['user/view'] })
  const send = (picture: string) =>
    save.mutate(
      { picture },
      { onSuccess: () => notify.done(t('done.saved')), onError: (error) => notify.refused(error.message) },
    )
  return (
    <>
      <h2>{t('share.picture')}</h2>
      <p className="share-hint">{t('share.picture_hint')}</p>
      <div className="share-buttons">
        <PicturePicker label={t('share.picture')} onPicked={send} isSending={save.isPending} />
        {own.customized_cs_qrcode_pic_url && (
          <Button plain onClick={() => send('')}>
            {t('account.remove_picture')}
          </Button>
        )}
      </div>
    </>
  )
}
