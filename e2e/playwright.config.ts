import { defineConfig } from '@playwright/test'
import { isLong } from './support/long.ts'
import { findShell, launchWith } from './support/browser.ts'

const results = '../test-results'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.journey.ts',
  globalSetup: './support/global-setup.ts',
  outputDir: `${results}/journeys`,
  // Journeys share the machine with their server and its database; more at once only makes all of them slow.
  workers: 2,
  fullyParallel: false,
  // A machine that hesitates for a moment does not stop a landing; what passed only then is named at the end of the run.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: isLong ? 1_800_000 : 180_000,
  ...(isLong ? { grep: /@long/ } : {}),
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: `${results}/journeys.json` }]],
  use: {
    browserName: 'chromium',
    launchOptions: launchWith(await findShell()),
    locale: 'en-GB',
    // What goes through one is not seen by `page.route`; push.journey.ts is about them.
    serviceWorkers: 'block',
    // Pages, console and network of each step, which cost a sixth of the run: in CI only the second try of a failed journey
    // is recorded. Recording pictures as well takes 1.7 times as long.
    trace: { mode: process.env.CI === undefined ? 'retain-on-failure' : 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
  },
})
