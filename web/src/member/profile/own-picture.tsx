import { type ChangeEvent, useRef, useState } from 'react'
import { CallError } from '../../api/call.ts'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { useWords } from '../../i18n/i18n.ts'
import { ImageError, prepareImage } from '../../media/resize.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { Avatar, nameOf } from '../../ui/person.tsx'
import { useOwnEdit } from './own-edit.ts'

type Who = { username: string; nickname: string; thumbnail: string }

/** The member's picture, name and username. A picture is saved as soon as it is chosen (SELF-01). */
export const OwnPicture = ({ who }: { who: Who }) => {
  const { t } = useWords()
  const save = useOwnEdit()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const choose = async (pictureOf: () => Promise<string>) => {
    setBusy(true)
    setRefused('')
    try {
      await save({ thumbnail: await pictureOf() })
    } catch (error) {
      const isTooLarge = error instanceof ImageError && error.reason === 'too_large'
      if (error instanceof CallError) setRefused(error.message)
      else setRefused(t(isTooLarge ? 'message.image_too_large' : 'message.not_an_image'))
    }
    setBusy(false)
  }
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (file) void choose(async () => (await prepareImage(file)).content)
  }
  return (
    <>
      <div className="m-own">
        <Avatar src={who.thumbnail && mediaSrc(who.thumbnail)} name={nameOf(who)} size={64} />
        <p className="m-own-names">
          <bdi>{nameOf(who)}</bdi>
          {who.nickname && <bdi className="c-note">{who.username}</bdi>}
        </p>
        <input
          ref={picker}
          className="visually-hidden"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label={t('member.change_picture')}
          onChange={take}
        />
        <div className="m-own-buttons">
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-busy={busy}
            onClick={() => picker.current?.click()}
          >
            {t('member.change_picture')}
          </button>
          {who.thumbnail && (
            <button
              type="button"
              className="c-link"
              disabled={busy}
              onClick={() => void choose(() => Promise.resolve(''))}
            >
              {t('account.remove_picture')}
            </button>
          )}
        </div>
      </div>
      {refused && <Alert text={refused} />}
    </>
  )
}
