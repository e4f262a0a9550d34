import type { MediaSettings } from '../../config/media-settings.ts'
import { type Measures, unmeasured } from '../../lib/measures.ts'
import { directoryStore } from './directory.ts'
import { layeredStore } from './layered.ts'
import { s3Store } from './s3.ts'
import type { MediaStore } from './store.ts'

export type MediaStores = {
  /** Finds what is in either place, and puts new ones where MEDIA_STORE says. */
  all: MediaStore
  directory: MediaStore
  /** Undefined without S3_URL. */
  s3: MediaStore | undefined
}

type Stored = { dataDir: string; media: MediaSettings }
/** The places of the settings. It asks nothing of the S3 server: a server of ours starts without it. */
export const openMediaStores = async (
  { dataDir, media }: Stored,
  measures: Pick<Measures, 's3'> = unmeasured,
): Promise<MediaStores> => {
  const directory = directoryStore(dataDir)
  if (!media.s3) return { all: directory, directory, s3: undefined }
  const s3 = await s3Store(media.s3, measures)
  const fresh = media.newGoTo === 's3' ? s3 : directory
  return { all: layeredStore(directory, s3, fresh), directory, s3 }
}
