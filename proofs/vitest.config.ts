import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
// For Map.groupBy, without which a failed test prints nothing on Node 20.
import '../vitest.config.ts'

/** Proofs that need a quiet machine or more time: `npx vitest run --config proofs/vitest.config.ts`. */
export default defineConfig({
  // As in the tests: a package of ours is found before npm has linked it.
  resolve: { tsconfigPaths: true },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['proofs/**/*.test.ts'],
    globalSetup: ['./scripts/built-programs.mjs', './server/src/testing/global-setup.ts'],
    fileParallelism: false,
  },
})
