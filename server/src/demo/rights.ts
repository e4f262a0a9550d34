import type { Running } from '../start/serve.ts'
import { demoClient } from './client.ts'

/** Dana lets Omar edit members by day, and keeps the quick replies to herself and Mika. */
export const decideRights = async (running: Running, { dana, omar }: Record<'dana' | 'omar', { id: number }>) => {
  const head = await demoClient(running, dana.id, 'office')
  const byDay = { from: '08:00', until: '20:00' }
  const rights = [
    { name: 'user.edit', given: true, hours: byDay },
    { name: 'quick_replies', given: false },
  ]
  await head.call('right/save', { id: omar.id, rights })
}
