import { defineConfig } from 'vitest/config'

// Vitest 5.1 groups the errors of failed tests with Map.groupBy, which Node 20 has not yet: without this a failed test
// says nothing about why.
const withGroupBy = Map as MapConstructor & { groupBy?: unknown }
withGroupBy.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

/** Like tsc, esbuild and tsx: our packages are found before npm has linked them. */
const resolve = { tsconfigPaths: true }
const exclude = ['**/node_modules/**', '**/dist/**']
/** `npm run check` runs these too: rules for the code, and texts left in English. */
const tidy = ['scripts/tidy.test.ts', 'scripts/plain-english.test.ts', 'locales/whole.test.ts']

export default defineConfig({
  test: {
    // Tests wait for sockets and processes a third of their time.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          name: 'node',
          include: ['{contract,locales,postgres,server,scripts,web,e2e}/**/*.test.ts'],
          exclude: [...exclude, ...tidy],
          globalSetup: './server/src/testing/global-setup.ts',
          setupFiles: './server/src/testing/setup.ts',
          // Files share a worker's modules: loading the server for each file takes a fifth of the whole run.
          isolate: false,
          // For a test that hangs: on a busy machine a real one may need half of it.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { resolve, test: { name: 'tidy', include: tidy, exclude } },
      {
        resolve: {
          ...resolve,
          // Node cannot load antd's ES modules.
          alias: { 'antd/es': 'antd/lib' },
        },
        test: {
          name: 'components',
          include: ['web/src/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: './web/src/testing/setup.ts',
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
    ],
  },
})
