import { PHOTO_HEIGHT, PHOTO_WIDTH } from '@tallyroom/contract/files'

/** The sizes that images are converted to, in px. `cover` cuts to the box; `inside` keeps the shape and never enlarges. */
export const shapes = {
  avatar: { width: 192, height: 192, fit: 'cover' },
  room: { width: PHOTO_WIDTH, height: PHOTO_HEIGHT, fit: 'inside', withoutEnlargement: true },
  background: { width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true },
  code: { width: 1200, height: 1600, fit: 'inside', withoutEnlargement: true },
  poster: { width: 1200, height: 1289, fit: 'cover' },
} as const
export type ImageShape = keyof typeof shapes
