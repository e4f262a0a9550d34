import { createContext } from 'react'

/** True for cells inside a row that is one button, as on a phone: a link in them would not be reachable. */
export const InButton = createContext(false)
