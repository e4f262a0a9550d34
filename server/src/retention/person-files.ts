import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaFile } from '../data/media-file.ts'

/** Deletes the files that erasing a person has left: of DATA_DIR/media, or 'uploads/…'. */
export const deleteFiles = async (dataDir: string, files: readonly string[]): Promise<void> => {
  for (const file of files)
    await rm(file.startsWith('uploads/') ? join(dataDir, file) : mediaFile(dataDir, file), { force: true })
}
