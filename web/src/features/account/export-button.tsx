import type { Input } from '@tallyroom/contract'
import { call } from '../../api/call.ts'
import { SaveFile } from '../../ui/save-file.tsx'

/** Exports the results of the last search. */
export const ExportButton = ({ filter, disabled }: { filter: Input<'user/export'>; disabled: boolean }) => (
  <SaveFile load={() => call('user/export', filter)} disabled={disabled} cutWord="account.cut" />
)
