import { build, type BuildOptions } from 'esbuild'
import { serverBuild } from '../../../scripts/build.mjs'

/** Builds the host as the server is built, beside it: it finds migrations, pages and the thread for files there. */
export const buildHost = () =>
  build({ ...(serverBuild() as BuildOptions), entryPoints: { 'journey-host': 'e2e/support/host/program.ts' } })
