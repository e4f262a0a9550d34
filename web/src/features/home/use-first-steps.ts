import type { Answer } from '@tallyroom/contract'
import { useCall } from '../../api/use-call.ts'

export type FoundSteps = {
  steps: Answer<'home/steps'>['steps']
  openZone: string | undefined
  sharer: Answer<'home/steps'>['sharer']
  site: string | undefined
  backupCommand: string | undefined
}

/** The steps that are shown: none once all are done or put away. */
export const useFirstSteps = (enabled: boolean): FoundSteps => {
  const { data } = useCall('home/steps', {}, { enabled, meta: { optional: true } })
  const isDone = data?.steps.every(({ done }) => done) ?? true
  return {
    steps: isDone ? [] : (data?.steps ?? []),
    openZone: data?.open_zone,
    sharer: data?.sharer,
    site: data?.site,
    backupCommand: data?.backup_command,
  }
}
