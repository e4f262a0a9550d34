/** Passed from one page to the next in this tab's sessionStorage: a notice, and the path to return to after sign-in. */
const put = (key: string, value: string) => {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Storage is forbidden: the sign-in page shows no notice and goes to /index.
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

const notices = ['expired', 'frozen', 'password', 'ended', 'logged_out'] as const
/** Why the session is over. */
export type Notice = (typeof notices)[number]
export const saveNotice = (notice: Notice) => put('office_notice', notice)
export const takeNotice = (): Notice | undefined => {
  const taken = take('office_notice')
  return notices.find((notice) => notice === taken)
}

/** Stores the address of the page that sent the user to /login. */
export const saveReturnPath = () => {
  const { pathname, search } = window.location
  if (!['/', '/index', '/login', '/forbidden', '/404', '/403', '/500'].includes(pathname))
    put('office_place', pathname + search)
}
/** The page after a sign-in: that one, else where the server says that the account's work begins. */
export const takeReturnPath = (startPage = '/index') => {
  const path = take('office_place')
  // Only paths of this site: "//" would lead to another one.
  if (path && /^\/(?!\/)/.test(path)) return path
  return startPage
}
