import type { Answer } from '@tallyroom/contract'
import { Suspense, useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { factLines } from '../../domain/fact-lines.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { Button } from '../../ui/control/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { nameOf } from '../../ui/person.tsx'
import type { Account } from './account.ts'
import { AccountLink } from '../../domain/account-link.tsx'

const BankDialog = lazyPart(async () => (await import('../bank/bank-dialog.tsx')).BankDialog)
const meta = { optional: true }

/** The bank accounts of a member, and how they have changed. Their dialog shows whole numbers and changes them. */
export const BankAccounts = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const { id, username } = account
  const cards = useCall('members/bank-card', { member_id: id }, { meta })
  const banks = useCall('orderType/list', {}, { meta })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <section className="card profile-bank" aria-label={t('bank.titles')}>
        {cards.error && <Alert text={cards.error.message} />}
        {cards.isPending && <p role="status">{t('table.loading')}</p>}
        {cards.data?.data.length === 0 && <p role="status">{t('bank.none')}</p>}
        <ul className="own-rows">
          {cards.data?.data.map((card) => (
            <li key={card.id}>
              <div className="own-row-text">
                <p className="own-row-name">
                  <bdi>{banks.data?.data.find(({ id: bank }) => bank === card.bank_id)?.name}</bdi>
                  <bdi className="points">{card.account_no}</bdi>
                  {card.is_first === 1 && <span className="chip">{t('bank.first')}</span>}
                </p>
                {card.account_name !== undefined && (
                  <p className="own-row-more">
                    <bdi>{card.account_name}</bdi>
                  </p>
                )}
                {card.held_until && (
                  <p className="own-row-more">
                    <Icon name="clock" size={14} /> {t('bank.held', { at: showMoment(card.held_until) })}
                  </p>
                )}
              </div>
            </li>
          ))}
        </ul>
        {cards.data && (
          <p>
            <Button icon="bank" onClick={() => setOpen(true)}>
              {t(cards.data.editable === 1 ? 'account_view.edit_bank' : 'account_view.show_bank')}
            </Button>
          </p>
        )}
        {isOpen && (
          <Suspense>
            <BankDialog
              room={{ member_id: id, partner_username: username, name: nameOf(account) }}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </section>
      <BankEdits id={id} />
    </>
  )
}

type BankEdit = Answer<'members/bank-card/history'>['data'][number]

const BankEdits = ({ id }: { id: number }) => {
  const { t } = useWords()
  const { data, error, isPending } = useCall('members/bank-card/history', { member_id: id }, { meta })
  return (
    <section className="card profile-bank" aria-label={t('account_view.changes')}>
      <h2>{t('account_view.changes')}</h2>
      {error && <Alert text={error.message} />}
      {isPending && <p role="status">{t('table.loading')}</p>}
      {data?.data.length === 0 && <p role="status">{t('account_view.no_changes')}</p>}
      <ol className="profile-changes">
        {data?.data.map((row) => (
          <li key={row.id}>
            <OneEdit row={row} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const OneEdit = ({ row }: { row: BankEdit }) => {
  const { t } = useWords()
  return (
    <>
      <p>
        <strong>{t(`audit.kind_${row.kind}`)}</strong> <span className="points quiet">{row.at}</span>
        {row.actor_username && (
          <>
            {' · '}
            <AccountLink who={{ username: row.actor_username }}>
              <bdi>{row.actor_username}</bdi>
            </AccountLink>
          </>
        )}
      </p>
      <dl className="lines">
        {factLines(t, row.facts).map(({ label, value }) => (
          <Fact key={label} label={label}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
    </>
  )
}
