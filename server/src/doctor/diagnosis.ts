import type { FindingState, InstallationTopic } from '@tallyroom/contract/installation'

/**
 * The finding of one check. `advice` says what to do; every finding that is not fine has one. `topic`: where the page about
 * the installation shows it.
 */
export type Diagnosis = { state: FindingState; found: string; advice?: string; topic?: InstallationTopic }

export const fine = (found: string): Diagnosis => ({ state: 'fine', found })
export const warning = (found: string, advice: string): Diagnosis => ({ state: 'warning', found, advice })
export const wrong = (found: string, advice: string): Diagnosis => ({ state: 'wrong', found, advice })
