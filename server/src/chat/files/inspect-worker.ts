import { rewriteVoice, VoiceRefused } from './audio.ts'
import type { Answered, Inspected, InspectJob } from './inspect.ts'
import { PdfRefused } from './pdf-active.ts'
import { rewritePdf } from './pdf.ts'

// Runs in a process of its own: a large or hostile file delays no call, and may be given up with its memory.

const inspect = async ({ kind, bytes }: Omit<InspectJob, 'id'>): Promise<Inspected> => {
  const file = Buffer.from(bytes)
  try {
    if (kind === 'voice') return { kind, ...(await rewriteVoice(file)) }
    return { kind, type: 'application/pdf', ...rewritePdf(file) }
  } catch (error) {
    if (error instanceof PdfRefused) return { refused: `message.pdf_${error.reason}`, why: error.message }
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
