import { findChromium } from '../e2e/support/browser.ts'

// Asked in a process of its own before the journeys begin, so that "no browser" is one clear line.
process.exitCode = (await findChromium()) ? 0 : 1
