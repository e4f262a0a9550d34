import { fileURLToPath } from 'node:url'

/** A path below `server/`. This file in `src` and the bundle in `dist` are both one folder below it. */
export const serverPath = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
