const PATH = '/media/'
export const mediaUrl = (id: string | null) => (id ? `${PATH}${id}` : '')
/** The id in an address of `mediaUrl`. */
export const mediaIdOf = (url: string): string => url.slice(PATH.length)
