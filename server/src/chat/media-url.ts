export const mediaUrl = (id: string | null) => (id ? `/media/${id}` : '')
