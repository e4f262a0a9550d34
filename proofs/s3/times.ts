import { readFileSync } from 'node:fs'
import { startServer } from '../../e2e/support/server.ts'
import { settingsFrom } from '../../server/src/config/settings.ts'
import { openMediaStores } from '../../server/src/data/media/stores.ts'
import { bodyOf, ceph, common, desk, dirs, first, get, s3, sendPhoto } from './set-up.ts'

const median = (of: number[]) => of.toSorted((a, b) => a - b)[of.length >> 1] ?? 0

/** A photo from S3 and from a disk, and the start with and without S3. */
export const times = async (tell: (line: object) => void) => {
  const content = (await sendPhoto(first)).content
  const timed = async () => {
    const all: number[] = []
    for (let n = 0; n < 320; n++) {
      const began = performance.now()
      await bodyOf(await get(0, desk, content))
      if (n >= 20) all.push(performance.now() - began)
    }
    return median(all)
  }
  const inS3 = await timed()
  const key = `media/${content.slice(7, 9)}/${content.slice(7)}`
  const { directory } = await openMediaStores(settingsFrom({ DATA_DIR: dirs[0] }))
  const body = await s3.read(key)
  if (!body) throw new Error('the photo is gone')
  await directory.put(key, body)
  const onDisk = await timed()
  await directory.remove(key)
  tell({ photo: body.length, msInS3: inS3.toFixed(2), msOnDisk: onDisk.toFixed(2), ratio: (inS3 / onDisk).toFixed(2) })
  // Processor time, because what else runs on the machine does not count there.
  const starts = { withS3: [] as number[], without: [] as number[] }
  for (let n = 0; n < 9; n++)
    for (const [name, env] of [
      ['withS3', ceph.env],
      ['without', {}],
    ] as const) {
      const copy = await startServer({ env: { ...common, ...env } })
      starts[name].push(processorMs(copy.child.pid))
      await copy.stop()
    }
  tell({
    start: 'processor ms until ready, medians of 9',
    withS3: median(starts.withS3),
    without: median(starts.without),
  })
}
const processorMs = (pid: number | undefined) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
