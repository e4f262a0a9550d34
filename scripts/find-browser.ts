import { findChromium } from '../e2e/support/page/browser.ts'

// Checked in a process of its own before the journeys begin, so that a missing browser is one clear line.
process.exitCode = (await findChromium()) ? 0 : 1
