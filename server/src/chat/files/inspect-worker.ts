import { rewriteVoice, VoiceRefused } from './audio.ts'
import type { Answered, Inspected, InspectJob } from './inspect.ts'

// Runs in a process of its own: a large or hostile file delays no call, and may be given up with its memory.

const inspect = async ({ bytes }: InspectJob): Promise<Inspected> => {
  try {
    return await rewriteVoice(Buffer.from(bytes))
  } catch (error) {
    if (error instanceof VoiceRefused) return { refused: `message.voice_${error.reason}`, why: error.message }
    throw error
  }
}

process.on('message', (job: InspectJob) => {
  inspect(job).then(
    (answer) => process.send?.({ id: job.id, answer } satisfies Answered),
    (error: unknown) => process.send?.({ id: job.id, error: String(error) } satisfies Answered),
  )
})
// The server has gone.
process.on('disconnect', () => process.exit())
