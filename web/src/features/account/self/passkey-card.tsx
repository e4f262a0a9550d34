import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { offersPasskeys } from '../../../api/passkey.ts'
import { useCall } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { showMoment } from '../../../i18n/time.ts'
import { Button } from '../../../ui/control/button.tsx'
import { Alert } from '../../../ui/overlay/message.tsx'
import { useRowDialogs } from '../../../ui/search-table/use-row-dialogs.ts'
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import '../self.css'

type PasskeyRow = Answer<'passkey/list'>['data'][number]

/** PASS-01: the passkeys of the own account. */
export const PasskeyCard = () => {
  const { t } = useWords()
  const list = useCall('passkey/list', {}, { meta: { optional: true } })
  const factors = useCall('factor/view', {}, { meta: { optional: true } })
  const [isAble, setAble] = useState(false)
  useEffect(() => void offersPasskeys().then(setAble, () => {}), [])
  const { data } = list
  const { kind, row: opened, open, close } = useRowDialogs<'add' | 'rename' | 'remove', PasskeyRow>(data?.data)
  const own = factors.data
  return (
    <section className="card">
      <h2>{t('passkey.title')}</h2>
      <p className="card-hint">
        {t('passkey.what')} {t('passkey.also_second')}
      </p>
      {list.error && !data && (
        <>
          <Alert text={list.error.message} />
          <Button onClick={() => void list.refetch()}>{t('action.try_again')}</Button>
        </>
      )}
      {list.isPending && <span className="bar" aria-busy="true" />}
      {data && data.here !== 'yes' && <p className="card-hint">{t(`passkey.${data.here}`)}</p>}
      {data?.data.length === 0 && data.here === 'yes' && <p className="card-hint">{t('passkey.none')}</p>}
      <ul className="own-rows">
        {data?.data.map((row) => (
          <Row key={row.id} row={row} onPress={(what) => open(what, row)} />
        ))}
      </ul>
      {own && data?.here === 'yes' && isAble && (
        <div className="card-buttons">
          <Button onClick={() => open('add')}>{t('passkey.add')}</Button>
        </div>
      )}
      {own && kind === 'add' && <AddPasskeyDialog own={own} onClose={close} />}
      {opened && kind === 'rename' && <RenamePasskeyDialog row={opened} onClose={close} />}
      {own && opened && kind === 'remove' && <RemovePasskeyDialog own={own} row={opened} onClose={close} />}
    </section>
  )
}

const Row = ({ row, onPress }: { row: PasskeyRow; onPress: (what: 'rename' | 'remove') => void }) => {
  const { t } = useWords()
  const { name, host, used_at, copied } = row
  return (
    <li>
      <div className="own-row-text">
        <p className="own-row-name">
          <bdi>{name}</bdi>
        </p>
        <p className="own-row-more">
          <bdi>{host}</bdi>
          <span>{used_at ? t('passkey.used', { time: showMoment(used_at) }) : t('passkey.unused')}</span>
        </p>
        {copied && <Alert text={t('passkey.copied')} />}
      </div>
      <div className="own-row-buttons">
        <Button aria-label={t('passkey.rename_named', { name })} onClick={() => onPress('rename')}>
          {t('passkey.rename')}
        </Button>
        <Button aria-label={t('passkey.remove_named', { name })} onClick={() => onPress('remove')}>
          {t('passkey.remove')}
        </Button>
      </div>
    </li>
  )
}
