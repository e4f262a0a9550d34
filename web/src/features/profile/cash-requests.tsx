import { usePages } from '../../api/use-pages.ts'
import { loudestOf } from '../../chat/model/wait.ts'
import { useLiveCashRequests } from '../../chat/view/cards/use-open-requests.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { LoadMore } from '../cash/load-more.tsx'
import { CashRequestDrawer } from '../cash/request-drawer.tsx'
import { CashRequestTable } from '../cash/request-table.tsx'

/** All requests of one member, the newest first, each of which opens beside the page. */
export const CashRequests = ({ memberId }: { memberId: number }) => {
  const { t } = useWords()
  const list = usePages('cash/list', { member_id: memberId })
  const { opened: text = '', open, close } = useOpened('request')
  const opened = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  useLiveCashRequests()
  const { rows } = list
  return (
    <section className="card request-card" aria-label={t('menu.requests')}>
      {list.error && <Alert text={list.error.message} />}
      {list.isPending && <p role="status">{t('table.loading')}</p>}
      {list.data && rows.length === 0 && (
        <p className="request-empty" role="status">
          <strong>{t('account_view.no_requests')}</strong>
        </p>
      )}
      {rows.length > 0 && (
        <CashRequestTable
          rows={rows}
          opened={opened}
          loudest={loudestOf(rows.map(({ asked_at }) => asked_at))}
          onOpen={open}
        />
      )}
      {list.hasNextPage && <LoadMore isBusy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()} />}
      {opened !== undefined && <CashRequestDrawer key={opened} id={opened} onClose={close} />}
    </section>
  )
}
