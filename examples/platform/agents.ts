import { tallyroom } from './tallyroom.ts'

/** Makes an agent. Its credit may wait for a second admin. */
export const addAgent = async (agent: { id: string; name: string; credit: string }) => {
  const { username, approval } = await tallyroom.agent.add(
    { third_party_id: agent.id, nickname: agent.name, limit_of_credit: agent.credit },
    { idempotencyKey: `agent-${agent.id}` },
  )
  return { username, hasCredit: approval !== 1 }
}
