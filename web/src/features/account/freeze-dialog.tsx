import type { Answer } from '@tallyroom/contract'
import { useMatches } from '@tanstack/react-router'
import { Button } from 'antd'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert, notify } from '../../ui/message.tsx'
import { Person } from '../../ui/person.tsx'
import { useSend } from '../../use-call.ts'
import { useWords } from '../../words.ts'

type Row = Answer<'user/list'>['data'][number]

/** ACC-09: what the source calls "delete". Asked first, because it ends what the account is just doing. */
export const FreezeDialog = ({ row, onClose }: { row: Row; onClose: () => void }) => {
  const { t } = useWords()
  const title = useMatches().at(-1)?.staticData.delTitle ?? 'account.freeze_user'
  const freeze = useSend('user/delete', { refreshes: ['user/list'] })
  const submit = () => {
    if (freeze.isPending) return
    freeze.mutate(
      { id: row.id },
      {
        onSuccess: () => {
          notify.done(t('account.frozen_done', { name: row.nickname || row.username }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t(title)}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button autoFocus onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="primary" danger htmlType="submit" loading={freeze.isPending}>
            {t('action.freeze')}
          </Button>
        </>
      }
    >
      {freeze.error && <Alert text={freeze.error.message} />}
      <p className="dialog-who">
        <Person who={row} role />
      </p>
      <p>{t('account.freeze_what')}</p>
    </Dialog>
  )
}
