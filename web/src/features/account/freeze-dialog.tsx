import type { Answer } from '@tallyroom/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { call, newRequestId } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { refresh, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'

type Row = Pick<Answer<'user/list'>['data'][number], 'id' | 'role_id' | 'username' | 'nickname' | 'thumbnail'>

/** ACC-09: the source calls it "delete". Confirmed first, because it ends the account's sessions. */
export const FreezeDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const title = useMatches().at(-1)?.staticData.delTitle ?? 'account.freeze_user'
  const freeze = useSend('user/delete', { refreshes: ['user/list', 'account/view'] })
  const cache = useQueryClient()
  const name = nameOf(row)
  /** The dialog is closed by then, so errors are shown on the page. */
  const undo = async () => {
    try {
      await call('user/edit', { id: row.id, status: 1, request_id: newRequestId() })
      notify.done(t('account.free_again', { name }))
    } catch (error) {
      notify.refused(errorText(error))
    }
    void refresh(cache, ['user/list', 'account/view'])
  }
  const onSuccess = () => {
    notify.done(t('account.frozen_done', { name }), { label: t('account.undo'), run: () => void undo() })
    onClose()
  }
  return (
    <ConfirmDialog
      title={t(title)}
      act={t('action.freeze')}
      danger
      isBusy={freeze.isPending}
      error={freeze.error}
      onConfirm={() => freeze.mutate({ id: row.id }, { onSuccess })}
      onClose={onClose}
    >
      <p className="dialog-who">
        <Person who={row} role />
      </p>
      <p>{t('account.freeze_what')}</p>
    </ConfirmDialog>
  )
}
