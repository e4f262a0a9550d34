import { fileURLToPath } from 'node:url'

/** A path below `server/`. This file and the bundle in `server/dist` are both one folder below it, so both find it. */
export const serverPath = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
