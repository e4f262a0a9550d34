import en from './en.ts'
import type { Words } from './index.ts'

export default { ...en } satisfies Words
