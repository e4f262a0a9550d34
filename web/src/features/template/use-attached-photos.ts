import { useState } from 'react'
import { outbox } from '../../chat/model/chat-session.ts'
import { mediaSrc } from '../../chat/model/media-src.ts'
import type { PreparedImage } from '../../media/resize.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'

export type AttachedPhoto = { key: number; src: string; photo: Promise<PreparedImage | undefined> }

/** Photos to send after the room's text, by room: opening another room does not lose them. */
const waiting = new Map<string, readonly AttachedPhoto[]>()
let last = 0

/** Loads a quick reply's image as a file: the member gets a copy of it. */
const load = async (address: string): Promise<PreparedImage> => {
  const answer = await fetch(mediaSrc(address), { credentials: 'include' })
  if (!answer.ok) throw new Error(`the photo of the quick reply could not be loaded: HTTP ${answer.status}`)
  const { prepareImage } = await import('../../media/resize.ts')
  return prepareImage(new File([await answer.blob()], 'photo'))
}

/** The photos of the chosen quick replies of a room. They are sent after the text, never without it. */
export const useAttachedPhotos = (code: string) => {
  const { t } = useWords()
  const [photos, setPhotos] = useState(() => waiting.get(code) ?? [])
  const put = (next: readonly AttachedPhoto[]) => {
    if (next.length) waiting.set(code, next)
    else waiting.delete(code)
    setPhotos(next)
  }
  const remove = (key: number) => put((waiting.get(code) ?? []).filter((one) => one.key !== key))
  return {
    photos,
    remove,
    add: (address: string) => {
      const key = ++last
      const photo = load(address).catch(() => {
        remove(key)
        notify.refused(t('template.photo_failed'))
        return undefined
      })
      put([...(waiting.get(code) ?? []), { key, src: mediaSrc(address), photo }])
    },
    send: () => {
      const going = waiting.get(code) ?? []
      put([])
      const all = async () => {
        for (const { photo } of going) {
          const image = await photo
          if (image) outbox.add(code, image.content, { image })
        }
      }
      void all()
    },
  }
}
