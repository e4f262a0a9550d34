import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { PeriodFields } from '../../ui/filter-bar/period-fields.tsx'
import { daysOfPreset, isBackward } from '../../ui/form/range.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { NoticeDialog } from '../../ui/overlay/notice-dialog.tsx'
import { SumRows } from './sum-rows.tsx'
import { periodText } from './words.ts'

/** `next`: the day on which the next period begins; null before the first one. */
type Props = { next: string | null; onClose: () => void }

export const CloseDialog = ({ next, onClose }: Props) => {
  const close = useSend('period/close', { refreshes: ['period/list', 'settlement/list', 'statement/view'] })
  if (next !== null && next > daysOfPreset('yesterday').end) return <NothingToClose next={next} onClose={onClose} />
  // A colleague may close a period meanwhile: the form then begins behind it, and the refusal stays to be read.
  return <CloseForm key={next} next={next} close={close} onClose={onClose} />
}

/** Any days in the form would be refused: those before are closed, and those after are not over. */
const NothingToClose = ({ next, onClose }: { next: string; onClose: () => void }) => {
  const { t } = useWords()
  return (
    <NoticeDialog title={t('period.close')} button={t('action.ok')} onClose={onClose}>
      <p>{t('period.up_to_date', { day: next })}</p>
    </NoticeDialog>
  )
}

/** The sums that will be closed are shown first, because closing cannot be undone. */
const CloseForm = ({ next, close, onClose }: Props & { close: ReturnType<typeof useSend<'period/close'>> }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const [days, setDays] = useState(() => {
    const { end } = daysOfPreset('yesterday')
    const start = next ?? daysOfPreset('month').start
    return { start: start > end ? end : start, end }
  })
  const asked = { start_date: days.start, end_date: days.end }
  const isInOrder = !isBackward(days)
  const view = useCall(
    'statement/view',
    { scope: 'branch', ...asked },
    { enabled: isInOrder, keepPrevious: true, meta: { optional: true } },
  )
  const submit = () => {
    if (close.isPending || !isInOrder) return
    close.mutate(asked, {
      onSuccess: () => {
        notify.done(t('period.done', { period: periodText(asked) }))
        onClose()
      },
      onError: () => void refresh(cache, ['period/list']),
    })
  }
  return (
    <Dialog
      title={t('period.close')}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button main submits disabled={!isInOrder} busy={close.isPending}>
            {t('period.close')}
          </Button>
        </>
      }
    >
      {close.error && <Alert text={close.error.message} />}
      <p className="period-what">{t('period.what')}</p>
      <PeriodFields
        start={days.start}
        end={days.end}
        minutes={false}
        labels={{ start: t('report.start'), end: t('report.end') }}
        onChange={setDays}
      />
      {view.error && <Alert text={view.error.message} />}
      {view.data && (
        <dl className="lines">
          <SumRows head={view.data} />
        </dl>
      )}
    </Dialog>
  )
}
