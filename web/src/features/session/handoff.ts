/** What one page leaves for the next of this tab: a word for the sign-in page, and the place to come back to. */
const put = (key: string, value: string) => {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Forbidden: the sign-in page says nothing, and leads to /index.
  }
}
const take = (key: string) => {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value ?? undefined
  } catch {
    return undefined
  }
}

export type Notice = 'expired' | 'logged_out'
export const saveNotice = (notice: Notice) => put('office_notice', notice)
export const takeNotice = (): Notice | undefined => {
  const notice = take('office_notice')
  return notice === 'expired' || notice === 'logged_out' ? notice : undefined
}

/** Remembers the page from which somebody was sent to /login. */
export const saveReturnPath = () => {
  const { pathname, search } = window.location
  if (!['/', '/index', '/login', '/forbidden', '/404', '/403', '/500'].includes(pathname))
    put('office_place', pathname + search)
}
export const takeReturnPath = () => {
  const place = take('office_place')
  // Only our own addresses: "//" would be another site's.
  return place && /^\/(?!\/)/.test(place) ? place : '/index'
}
