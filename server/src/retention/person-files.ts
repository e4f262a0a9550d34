import { rm } from 'node:fs/promises'
import { join } from 'node:path'

export const mediaFile = (dataDir: string, id: string): string => join(dataDir, 'media', id.slice(0, 2), id)

/** Deletes the files that erasing a person has left: of DATA_DIR/media, or 'uploads/…'. */
export const deleteFiles = async (dataDir: string, files: readonly string[]): Promise<void> => {
  for (const file of files)
    await rm(file.startsWith('uploads/') ? join(dataDir, file) : mediaFile(dataDir, file), { force: true })
}
