import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

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

/**
 * Files that wait for programs and disks come first, and component tests, which are short and never wait, come last: the
 * journeys run beside the first ones, and when they are done no processor should wait for one long file.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.name === 'components') return 2
      return /\/(e2e\/process|postgres)\/[^/]+$/.test(moduleId) ? 0 : 1
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Like tsc, esbuild and tsx: our packages are found before npm has linked them. */
const resolve = { tsconfigPaths: true }
const exclude = ['**/node_modules/**', '**/dist/**']
/** `npm run check` runs these too: rules for the code, and texts left in English. */
const tidy = [
  'scripts/tidy.test.ts',
  'scripts/plain-english.test.ts',
  'scripts/docs.test.ts',
  'web/sheets.test.ts',
  'locales/whole.test.ts',
  'locales/one-word.test.ts',
]

/** As for the journeys: on a machine of others a test gets a second try, and one that needed it is named at the end. */
const retry = process.env.CI === undefined ? 0 : 1

export default defineConfig({
  test: {
    // Tests wait for sockets and processes a third of their time.
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        resolve,
        test: {
          name: 'node',
          include: ['{client,contract,examples,locales,postgres,server,scripts,web,e2e}/**/*.test.ts'],
          exclude: [...exclude, ...tidy],
          globalSetup: ['./scripts/built-programs.mjs', './server/src/testing/global-setup.ts'],
          setupFiles: './server/src/testing/setup.ts',
          // Files share a worker's modules: loading the server for each file takes a fifth of the whole run.
          isolate: false,
          // For a test that hangs: on a busy machine a real one may need half of it.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          retry,
        },
      },
      // They read all files: on a busy machine that takes longer than the usual five seconds.
      { resolve, test: { name: 'tidy', include: tidy, exclude, testTimeout: 60_000 } },
      {
        resolve: {
          ...resolve,
          alias: {
            // As ES modules, which each page loads again: their `screen` keeps the body of the page.
            '@testing-library/dom': fileURLToPath(
              import.meta.resolve('@testing-library/dom/dist/@testing-library/dom.esm.js'),
            ),
            '@testing-library/react': fileURLToPath(
              import.meta.resolve('@testing-library/react/dist/@testing-library/react.esm.js'),
            ),
          },
        },
        test: {
          name: 'components',
          include: ['web/src/**/*.test.tsx'],
          environment: './web/src/testing/environment.ts',
          setupFiles: ['./web/src/testing/page.ts', './web/src/testing/setup.ts'],
          sequence: { setupFiles: 'list' },
          // page.ts gives each file a page of its own.
          isolate: false,
          server: { deps: { inline: [/@testing-library/] } },
          testTimeout: 20_000,
          hookTimeout: 20_000,
          expect: { poll: { timeout: 10_000 } },
          retry,
        },
      },
    ],
  },
})
