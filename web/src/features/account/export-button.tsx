import type { Input } from '@tallyroom/contract'
import { call } from '../../api/call.ts'
import { SaveFile } from '../../ui/save-file.tsx'

/** The accounts that the last search found. */
export const ExportButton = ({ filter, disabled }: { filter: Input<'user/export'>; disabled: boolean }) => (
  <SaveFile load={() => call('user/export', filter)} disabled={disabled} />
)
