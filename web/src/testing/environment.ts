import type { Environment } from 'vitest/runtime'

/** Modules are resolved as for a browser; `page.ts` opens the page, for each test file a new one. */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => {} }),
} satisfies Environment
