/** Where an image or a file is: below DATA_DIR, or in the bucket. */
export const mediaKey = (id: string): string => `media/${mediaPath(id)}`

/** The same below DATA_DIR/media. */
export const mediaPath = (id: string): string => `${id.slice(0, 2)}/${id}`
