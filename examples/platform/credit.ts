import { isRefused } from '@tallyroom/client'
import { tallyroom } from './tallyroom.ts'

/** Changes the credit of an agent. A raise may wait for a second admin; less than it has used is refused. */
export const setCredit = async (agent: string, credit: string) => {
  try {
    const { approval } = await tallyroom.agent.set({ third_party_id: agent, set: { limit_of_credit: credit } })
    return approval === 1 ? 'waits' : 'done'
  } catch (error) {
    if (isRefused(error, 'account.below_credit')) return `used: the balance is ${error.facts.balance}`
    throw error
  }
}
