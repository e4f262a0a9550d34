import { accessSync, constants } from 'node:fs'
import { chromium } from '@playwright/test'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Chromium from an npm package, with the libraries it needs, for bare Linux machines. */
const packaged = async (): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  // Makes the package unpack its libraries too, which a bare machine lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: packagedChromium } = await import('@sparticuz/chromium')
  return await packagedChromium.executablePath()
}

/** The Chromium for the tests: CHROMIUM_PATH, the system's, the one that Playwright downloaded, or the one from npm. */
export const findChromium = async (): Promise<string | undefined> => {
  const found = [process.env.CHROMIUM_PATH ?? '', ...usualPaths, chromium.executablePath()].find(isProgram)
  return found ?? (await packaged().catch(() => undefined))
}

/** Chromium's headless shell if installed: it needs two thirds of the processor time, but has no notifications. */
export const findShell = async (): Promise<string | undefined> =>
  [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium-headless-shell'].find(isProgram) ?? findChromium()

const chromiumFlags = [
  // Root cannot use the sandbox. Other users keep it.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-default-browser-check',
  '--no-first-run',
]

/** Launch options for tests, benches and proofs; without a path Playwright looks for its own browser. */
export const launchWith = (executablePath: string | undefined) => ({
  args: chromiumFlags,
  ...(executablePath ? { executablePath } : {}),
})
