import { join } from 'node:path'

/** Where an image or a file is, below DATA_DIR/media. */
export const mediaPath = (id: string): string => join(id.slice(0, 2), id)

export const mediaFile = (dataDir: string, id: string): string => join(dataDir, 'media', mediaPath(id))
