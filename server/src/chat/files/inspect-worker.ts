import { rewriteVoice, VoiceRefused } from './audio.ts'
import { examineSlip, sameSlips } from '../slips/examine.ts'
import { encodeImage, ImageRefused } from './image.ts'
import type { Answered, Inspected, InspectJob, READY } from './inspect.ts'

// Runs in a process of its own: a large or hostile file delays no call, and may be given up with its memory.

const inspect = async ({ bytes, ...work }: InspectJob): Promise<Inspected> => {
  if (work.kind === 'slip') return examineSlip(bytes, work.frames)
  if (work.kind === 'same') return { same: await sameSlips(bytes, work.others) }
  try {
    const file = Buffer.from(bytes)
    return await (work.kind === 'voice' ? rewriteVoice(file) : encodeImage(file, work.shape))
  } catch (error) {
    if (error instanceof VoiceRefused) return { refused: `message.voice_${error.reason}`, why: error.message }
    if (!(error instanceof ImageRefused) || work.kind !== 'image') throw error
    const { isBomb, message: why } = error
    return { refused: error.reason === 'too_large' ? 'message.image_too_large' : work.unknown, why, isBomb }
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
process.send?.('ready' satisfies typeof READY)
