import type { Answer } from '@tallyroom/contract'
import { isOffice } from '@tallyroom/contract/codes'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call, newRequestId } from '../../api/call.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import { FindName } from '../../domain/find-name.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { AccountLink } from '../../domain/account-link.tsx'
import './person.css'

type Kept = Answer<'person/view'>

/** RUN-06: what is kept of a member, as a file, or erased by two admins. */
export const PersonPage = () => {
  const { t } = useWords()
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const chosen = /^[1-9]\d{0,9}$/.test(id ?? '') ? Number(id) : undefined
  return (
    <div className="page-narrow">
      <section className="card person-find">
        <h2>{t('person.find')}</h2>
        <p className="card-hint">{t('person.find_what')}</p>
        <FindName
          label={t('person.name')}
          only={(hit) => !isOffice(hit.role_id)}
          onFound={(found) => void navigate({ to: '/person/{-$id}', params: { id: String(found) } })}
        />
      </section>
      {chosen !== undefined && <KeptOf key={chosen} id={chosen} />}
    </div>
  )
}

const KeptOf = ({ id }: { id: number }) => {
  const { t } = useWords()
  const { data, error } = useCall('person/view', { id }, { meta: { optional: true } })
  const [isErasing, setErasing] = useState(false)
  if (error) return <Alert text={error.message} />
  if (!data) return <p role="status">{t('table.loading')}</p>
  return (
    <section className="card">
      <AccountLink who={{ ...data, id }}>
        <Person who={{ ...data, status: 1 }} />
      </AccountLink>
      <h2 className="person-title">{t('person.kept')}</h2>
      <dl className="lines person-kept">
        <Fact label={t('person.messages')}>{groupCount(data.messages)}</Fact>
        <Fact label={t('person.notes')}>{groupCount(data.notes)}</Fact>
        <Fact label={t('person.files')}>{groupCount(data.files)}</Fact>
        <Fact label={t('person.sign_ins')}>{groupCount(data.sign_ins)}</Fact>
        <Fact label={t('person.bank_accounts')}>{groupCount(data.bank_accounts)}</Fact>
        <Fact label={t('person.transfers')}>{groupCount(data.transfers)}</Fact>
      </dl>
      <Erasable kept={data} />
      <div className="person-acts">
        <SaveFile label={t('person.export')} load={() => call('person/export', { id, request_id: newRequestId() })} />
        {!data.is_erased && (
          <Button
            icon="trash"
            disabled={data.waits || data.is_alone || data.open.length > 0}
            onClick={() => setErasing(true)}
          >
            {t('person.erase')}
          </Button>
        )}
      </div>
      {isErasing && <EraseDialog id={id} name={nameOf(data)} onClose={() => setErasing(false)} />}
    </section>
  )
}

/** What erasing means, or why the member cannot be erased now. */
const Erasable = ({ kept }: { kept: Kept }) => {
  const { t } = useWords()
  if (kept.is_erased) return <p className="person-said">{t('person.is_erased')}</p>
  if (kept.waits) return <p className="person-said">{t('person.waits')}</p>
  const why = [
    ...kept.open.map(({ why: word, count }) => t(word, { name: nameOf(kept), count })),
    ...(kept.is_alone ? [t('change.needs_two')] : []),
  ]
  if (why.length === 0) return <p className="person-said">{t('person.erase_what')}</p>
  return (
    <div className="person-said">
      <p>{t('person.not_yet')}</p>
      <ul className="person-why">
        {why.map((line) => (
          <li key={line}>
            <Icon name="alert" size={16} />
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
