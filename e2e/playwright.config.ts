import { defineConfig } from '@playwright/test'
import { isLong } from './support/long.ts'
import { findShell, launchWith } from './support/page/browser.ts'

const results = '../test-results'
const launch = launchWith(await findShell())
/** They start the whole browser, so they get workers of their own; without this they would come last, for half a minute. */
const inWholeBrowser = ['**/push.journey.ts', '**/files.journey.ts']
/** A tenth of the browser's processor time: no process of its own for drawing, and no optimizing of scripts that run once. */
const cheap = ['--in-process-gpu', '--js-flags=--no-opt']

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.journey.ts',
  projects: [
    { name: 'whole browser', testMatch: inWholeBrowser },
    { name: 'shell', testIgnore: inWholeBrowser },
  ],
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
    launchOptions: { ...launch, args: [...launch.args, ...cheap] },
    locale: 'en-GB',
    // A button that is gone or covered would otherwise hold up the run until the time-out of the whole journey, twice.
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // What goes through one is not seen by `page.route`; push.journey.ts is about them.
    serviceWorkers: 'block',
    // Pages, console and network of each step, which cost a sixth of the run: in CI only the second try of a failed journey
    // is recorded. Recording pictures as well takes 1.7 times as long.
    trace: { mode: process.env.CI === undefined ? 'retain-on-failure' : 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
  },
})
